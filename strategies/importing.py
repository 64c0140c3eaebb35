"""Finds the class or function that a spec points at, in a file or an importable module.

Every fault of a user's code or spelling ends as one line of ConfigurationError, with the line of
their file where there is one.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from compaction_eval.strategies.errors import ConfigurationError, describe, did_you_mean
from compaction_eval.strategies.timelimit import TimeLimitExceeded, time_limit

_OWN_FOLDER = os.path.dirname(os.path.abspath(__file__)) + os.sep
_LIBRARY = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
IMPORT_SECONDS = 60.0
"""How long a module may take to import: frameworks take their time, a loop takes for ever."""
_files: dict[Path, ModuleType] = {}
"""The modules of files, loaded once in a process: state in them is shared."""


def is_file_target(use: str) -> bool:
    """Whether a spec's name points into a file: `./mine.py:compact`, or just `./mine.py`."""
    return ".py:" in use or use.endswith(".py")


def split_file_target(use: str) -> tuple[str, str]:
    """The path and the name of `./mine.py:compact`; the name is empty in `./mine.py`."""
    path, _, attribute = use.rpartition(":") if ".py:" in use else (use, "", "")
    return path, attribute


def file_target(use: str, directory: Path) -> Any:
    """The object that `./file.py:Name` names; a relative path starts at `directory`."""
    path_text, attribute = split_file_target(use)
    path = _path(path_text, directory)
    if not os.path.isfile(path):
        siblings = path.parent.glob("*.py") if os.path.isdir(path.parent) else ()
        hint = did_you_mean(path.name, sorted(sibling.name for sibling in siblings))
        raise ConfigurationError(f"{path_text}: no such file in {path.parent}{hint}")
    module = _files.get(path)
    if module is None:
        module = _files[path] = _load_file(path, path_text)
    return _attribute(module, attribute, path_text)


def dotted_target(use: str, *, from_working_directory: bool) -> Any:
    """The object that `package.module:Name` names.

    With `from_working_directory` modules there are found first, as `python -m` finds them.
    """
    name, _, attribute = use.partition(":")
    try:
        with (
            time_limit(IMPORT_SECONDS),
            _search_first(os.getcwd() if from_working_directory else None),
        ):
            module = importlib.import_module(name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # foreign code may raise anything, SystemExit included
        if isinstance(error, ModuleNotFoundError) and f"{name}.".startswith(f"{error.name}."):
            raise ConfigurationError(f"{use}: there is no module '{error.name}'") from None
        if isinstance(error, ValueError | TypeError) and not all(name.split(".")):
            raise ConfigurationError(f"{use}: '{name}' isn't a module's name") from None
        raise ConfigurationError(_import_fault(error, None, use)) from error
    return _attribute(module, attribute, name)


def line_in(error: BaseException, file: str | None) -> tuple[str, int] | None:
    """File and line of the innermost frame in `file`; without one, of the innermost foreign frame.

    Foreign is what belongs neither to this package nor to the standard library.
    """
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(("<", _OWN_FOLDER))
        and (not frame.filename.startswith(_LIBRARY) or "-packages" in frame.filename)
    ]
    chosen = ([frame for frame in frames if frame.filename == file] or frames)[-1:]
    return (chosen[0].filename, chosen[0].lineno or 0) if chosen else None


def module_file(use: str, directory: Path) -> str | None:
    """The file of the module that a spec's name points into, once its target has been loaded."""
    if is_file_target(use):
        return str(_path(split_file_target(use)[0], directory))
    return getattr(sys.modules.get(use.partition(":")[0]), "__file__", None)


def source_file(target: Any) -> str | None:
    """The file in which a class, function or object is written; None where that isn't known."""
    while hasattr(target, "func"):  # functools.partial
        target = target.func
    named = target if hasattr(target, "__qualname__") else type(target)
    module = sys.modules.get(getattr(named, "__module__", None) or "")
    return getattr(module, "__file__", None)


def _path(text: str, directory: Path) -> Path:
    return (directory / Path(text).expanduser()).resolve()


class _FromSource(SourceFileLoader):
    """Compiles a file as it is now, and leaves nothing beside it.

    A cache of bytecode knows a file by its size and the second of its last change, so it would run
    what the file said before, of an edit that is quick and as long.
    """

    def get_code(self, fullname: str) -> CodeType:
        """The code of the file's text."""
        return self.source_to_code(self.get_data(self.path), self.path)


def _load_file(path: Path, shown: str) -> ModuleType:
    # A name of its own in sys.modules: dataclasses and pickle look their module up there, and two
    # files of the same name mustn't meet.
    digest = hashlib.sha256(str(path).encode()).hexdigest()[:12]
    name = f"_compaction_eval_file_{digest}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path, loader=_FromSource(name, str(path)))
    if spec is None or spec.loader is None:
        raise ConfigurationError(f"{shown}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with time_limit(IMPORT_SECONDS), _search_first(str(path.parent)):
            spec.loader.exec_module(module)
    except KeyboardInterrupt:
        del sys.modules[name]
        raise
    except BaseException as error:  # foreign code may raise anything, SystemExit included
        sys.modules.pop(name, None)
        raise ConfigurationError(_import_fault(error, str(path), shown)) from error
    return module


def _import_fault(error: BaseException, file: str | None, shown: str) -> str:
    """`mine.py:3: SyntaxError: …`, for a module that can't be imported."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        place: tuple[str, int] | None = (error.filename, error.lineno)
        reason = f"{type(error).__name__}: {error.msg}"
    else:
        place, reason = line_in(error, file), f"raised {describe(error)} when imported"
    if isinstance(error, TimeLimitExceeded):
        reason = f"took longer than {IMPORT_SECONDS:g} s to import"
    if place is None:
        return f"{shown}: {reason}"
    if place[0] == file:
        return f"{shown}:{place[1]}: {reason}"
    return f"{place[0]}:{place[1]}: {reason} (imported for {shown})"


def _attribute(module: ModuleType, dotted: str, shown: str) -> Any:
    """The object in the module that a spec names after its colon."""
    public = [
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and callable(value)
        and getattr(value, "__module__", module.__name__) == module.__name__
    ]
    known = f"; it has {', '.join(sorted(public))}" if public else ""
    if not dotted:
        raise ConfigurationError(f"{shown}: say which function or class: {shown}:NAME{known}")
    found: Any = module
    for name in dotted.split("."):
        try:
            found = getattr(found, name)
        except AttributeError:
            names = public if found is module else [n for n in dir(found) if not n.startswith("_")]
            hint = did_you_mean(name, names) or known
            raise ConfigurationError(f"{shown} has no '{dotted}'{hint}") from None
    return found


@contextlib.contextmanager
def _search_first(folder: str | None) -> Iterator[None]:
    """Modules are searched in this folder first, in the block only."""
    if folder is None:
        yield
        return
    sys.path.insert(0, folder)
    importlib.invalidate_caches()
    try:
        yield
    finally:
        # By value: the imported code may have changed the list itself.
        with contextlib.suppress(ValueError):
            sys.path.remove(folder)
