"""The command line for a checkout: `python run_eval.py …` is `compaction-eval …`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "src"))

from compaction_eval.__main__ import main

if __name__ == "__main__":
    main()
