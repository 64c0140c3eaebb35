"""Measures what conversation compaction makes an agent forget, and what it saves.

The sub-packages `strategies`, `scenarios`, `eval` and `reports` lie at the root of a checkout and
beside this file once installed (docs/adr/0001-import-name.md).
"""

import os

__version__ = "0.1.0"

_src, _ = os.path.split(os.path.dirname(os.path.abspath(__file__)))
_root, _folder = os.path.split(_src)
# `src` too: a user may install into a folder of a repository that has a run_eval.py of its own.
if _folder == "src" and os.path.isfile(os.path.join(_root, "run_eval.py")):
    __path__.insert(0, _root)
