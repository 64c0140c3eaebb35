"""The suite's modules import each other as `tests.defects`, here and under `python -m`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
