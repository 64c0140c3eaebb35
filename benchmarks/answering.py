"""An endpoint for timing: answers every completion after a while; `python -m benchmarks.answering
SECONDS` prints its port and serves until its standard input ends."""

from __future__ import annotations

import asyncio
import json
import sys

_REPLY = json.dumps(
    {
        "object": "chat.completion",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": "It listens on 9443."},
            }
        ],
        "usage": {"prompt_tokens": 900, "completion_tokens": 8, "total_tokens": 908},
    }
).encode()
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"


async def _answer(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seconds: float
) -> None:
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            lines = head.lower().split(b"\r\n")
            size = next((line for line in lines if line.startswith(b"content-length:")), b":0")
            await reader.readexactly(int(size.partition(b":")[2]))
            await asyncio.sleep(seconds)
            writer.write(_HEAD % len(_REPLY) + _REPLY)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def _serve(seconds: float) -> None:
    server = await asyncio.start_server(
        lambda reader, writer: _answer(reader, writer, seconds), "127.0.0.1", 0, backlog=256
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(_serve(float(sys.argv[1])))
