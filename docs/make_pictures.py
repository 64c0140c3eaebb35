"""Makes the pictures of the README from the default run: `make pictures`.

Needs chromium and chromedriver (`make browser`). A finished default run may be named, which saves
measuring it anew: `python docs/make_pictures.py runs/demo`.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
CHARTS = ("tradeoff-survival", "survival-by-age")
EXPLORED = "#s=designer-introduction&a=window-summary&b=30%25&r=14&f=fact+pride"
WIDEST = 1200
"""Pixels."""


def main(arguments: list[str]) -> None:
    """Write all pictures."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        run = arguments[0] if arguments else str(Path(folder, "run"))
        if not arguments:
            call("run", "-q", "--out", run)
        report = Path(folder, "report")
        call("report", run, "--by", "kind", "--out", str(report))
        for name in CHARTS:
            for dark in ("", "-dark"):
                picture = (report / f"{name}{dark}.png").read_bytes()
                (PICTURES / f"{name}{dark}.png").write_bytes(smaller(picture))
        for dark in (False, True):
            taken = smaller(screenshot(report / "page.html", dark=dark))
            (PICTURES / f"explorer{'-dark' if dark else ''}.png").write_bytes(taken)


def call(*arguments: str) -> None:
    """Run our own command line."""
    command = [sys.executable, str(ROOT / "run_eval.py"), *arguments]
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)


def smaller(picture: bytes) -> bytes:
    """A PNG no wider than a page shows it, in a few colours."""
    from PIL import Image

    file = io.BytesIO()
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    if image.width > WIDEST:
        image = image.resize((WIDEST, round(image.height * WIDEST / image.width)))
    # The colours that are far from each other, so that each line keeps its own.
    few = image.quantize(256, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(file, "png", optimize=True)
    return file.getvalue()


def screenshot(page: Path, *, dark: bool) -> bytes:
    """The explorer, where a fact is lost."""
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    options = ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for argument in ("headless=new", "no-sandbox", "disable-gpu", "hide-scrollbars"):
        options.add_argument(f"--{argument}")
    driver = Chrome(options=options, service=Service(str(shutil.which("chromedriver"))))
    try:
        size = {"width": 1100, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        driver.get(page.resolve().as_uri() + EXPLORED)
        while not driver.execute_script("return document.documentElement.dataset.ready"):
            time.sleep(0.05)
        driver.execute_script("document.getElementById('explorer').scrollIntoView()")
        time.sleep(0.3)
        return bytes(driver.get_screenshot_as_png())
    finally:
        driver.quit()


if __name__ == "__main__":
    main(sys.argv[1:])
