"""The command line for a checkout: `python run_eval.py …` is `compaction-eval …`."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent
NEEDED = ("click", "numpy", "regex", "rich", "tiktoken", "yaml")

sys.path.insert(0, str(ROOT / "src"))


def what_is_missing() -> str | None:
    """What this Python lacks and how to get it, in a line; None where it has everything."""
    lacking = [name for name in NEEDED if find_spec(name) is None]
    if not lacking:
        return None
    installed = ROOT / ".venv" / "bin" / "python"
    elsewhere = f"`make demo` in {ROOT} installs them into .venv"
    if installed.exists():
        elsewhere = f"`{os.path.relpath(installed)} {sys.argv[0]}` has them"
    here = "`pip install -c constraints.txt -e .` installs them for this one"
    return f"{sys.executable} has no {', '.join(lacking)}: {elsewhere}; {here}"


if __name__ == "__main__":
    fault = what_is_missing()
    if fault is not None:
        print(fault, file=sys.stderr)
        sys.exit(2)
    from compaction_eval.__main__ import main

    main()
