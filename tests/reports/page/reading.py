"""Somebody who reads a page in a browser."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


class Reader:
    """Somebody who reads a page, and keeps an eye on what the browser says."""

    def __init__(self, browser: Chrome) -> None:
        self.browser = browser

    def open(self, page: Path, address: str = "", width: int = 1000, height: int = 700) -> None:
        """Open a page from disk, and wait until it is ready."""
        self.emulate(width, height)
        self.browser.get("about:blank")
        for kind in ("browser", "performance"):
            self.browser.get_log(kind)
        self.browser.get(f"{page.as_uri()}{address}")
        self.until("document.documentElement.dataset.ready === 'true'")

    def emulate(self, width: int, height: int, *, dark: bool = False) -> None:
        """A window of that size, in pixels; a narrow one is a phone."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})

    def js(self, code: str, *values: object) -> Any:
        """What a piece of script returns."""
        return self.browser.execute_script(code, *values)  # type: ignore[no-untyped-call]  # selenium has no types for it

    def until(self, condition: str) -> None:
        """Wait for something to hold."""
        deadline = time.monotonic() + 20
        while not self.js(f"return {condition}"):
            assert time.monotonic() < deadline, f"never: {condition}"
            time.sleep(0.02)

    def press(self, *keys: str) -> None:
        """Press keys, one after the other, where the focus is."""
        from selenium.webdriver.common.action_chains import ActionChains

        for key in keys:
            ActionChains(self.browser).send_keys(key).perform()

    def click(self, selector: str) -> None:
        """Click on what a selector finds first, as a person would, which scrolls there."""
        element = self.browser.find_element("css selector", selector)
        self.js("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def choose(self, select: str, text: str) -> None:
        """Choose an option by its text."""
        from selenium.webdriver.support.select import Select

        Select(self.browser.find_element("id", select)).select_by_visible_text(text)

    def text(self, selector: str) -> str:
        """The text that can be read there."""
        return str(
            self.js("return document.querySelector(arguments[0])?.innerText || ''", selector)
        )

    def texts(self, selector: str) -> list[str]:
        """The texts of all that a selector finds and that can be seen."""
        code = (
            "return [...document.querySelectorAll(arguments[0])]"
            ".filter((one) => one.getClientRects().length > 0).map((one) => one.innerText)"
        )
        return [str(one) for one in self.js(code, selector)]

    def written(self, selector: str) -> list[str]:
        """The texts of all that a selector finds; a browser doesn't lay out what is far away."""
        code = "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)"
        return [str(one) for one in self.js(code, selector)]

    def at(self, request: int) -> None:
        """Wait until a request is shown."""
        self.until(f"document.getElementById('where').textContent.startsWith('#{request} ')")

    @property
    def address(self) -> str:
        """What stands after the `#`."""
        return str(self.js("return location.hash"))

    def complaints(self) -> list[Any]:
        """What the console has said, and what was asked for beside the page itself."""
        said = [one["message"] for one in self.browser.get_log("browser")]
        for entry in self.browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                if not url.startswith(("file:", "data:")):
                    said.append(url)
        return said
