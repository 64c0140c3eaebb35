"""The four rooms are one package, however it gets onto the machine."""

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("strategies", "scenarios", "eval", "reports")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def package_files(root: Path) -> dict[str, Path]:
    """Every file of the package: its place in a wheel -> where it lies in the checkout `root`."""
    package = root / "src" / "compaction_eval"
    inner = ("commands", "testing")
    folders = [
        *((package / name, name) for name in inner),
        *((root / room, room) for room in ROOMS),
    ]
    files = {f"compaction_eval/{path.name}": path for path in package.iterdir() if path.is_file()}
    for folder, name in folders:
        for path in folder.rglob("*"):
            inside = path.relative_to(folder)
            hidden = any(part.startswith((".", "__pycache__")) for part in inside.parts)
            if path.is_file() and not hidden:
                files[f"compaction_eval/{name}/{inside.as_posix()}"] = path
    return files


def run_python(*args: str, cwd: Path) -> str:
    done = subprocess.run(
        [sys.executable, *args], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout, since a build leaves files behind that the next one would pack."""
    tree = tmp_path_factory.mktemp("checkout")
    for name in ("src", *ROOMS):
        shutil.copytree(
            ROOT / name, tree / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__")
        )
    for name in ("pyproject.toml", "run_eval.py", "LICENSE", "README.md"):
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, tree / name)
    return tree


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source distribution, as a release would be."""
    dist = tmp_path_factory.mktemp("dist")
    run_python("-m", "build", "--no-isolation", "--outdir", str(dist), cwd=checkout)
    return next(dist.glob("*.whl"))


@pytest.fixture
def users_repository(tmp_path: Path) -> Path:
    """A working directory that owns folders of our rooms' names, and a run_eval.py."""
    for room in ROOMS:
        (tmp_path / room).mkdir()
        (tmp_path / room / "__init__.py").write_text(f"OWNER = 'the user, {room}'\n")
    (tmp_path / "run_eval.py").write_text("")
    return tmp_path


WHOSE = """
import strategies, scenarios, eval, reports
import compaction_eval.strategies, compaction_eval.scenarios
import compaction_eval.eval, compaction_eval.reports, compaction_eval.commands
assert [m.OWNER for m in (strategies, scenarios, eval, reports)] == [
    f"the user, {room}" for room in ("strategies", "scenarios", "eval", "reports")]
print(compaction_eval.strategies.__file__)
"""


def test_every_folder_with_python_files_is_listed_in_pyproject() -> None:
    found = {
        place.rpartition("/")[0].replace("/", ".")
        for place in package_files(ROOT)
        if place.endswith(".py")
    }
    listed = set(PYPROJECT["tool"]["setuptools"]["packages"])
    missing, gone = sorted(found - listed), sorted(listed - found)
    assert not missing, f"add to [tool.setuptools] packages in pyproject.toml: {missing}"
    assert not gone, f"remove from [tool.setuptools] packages in pyproject.toml: {gone}"


def test_the_wheel_holds_every_file_of_the_rooms_and_nothing_else(
    checkout: Path, wheel: Path
) -> None:
    expected = set(package_files(checkout))
    packed = {n for n in zipfile.ZipFile(wheel).namelist() if n.startswith("compaction_eval/")}
    forgotten = sorted(expected - packed)
    assert not forgotten, f"add to [tool.setuptools.package-data] in pyproject.toml: {forgotten}"
    assert packed == expected
    assert "compaction_eval/strategies/vocabulary/o200k_base.tiktoken.gz" in packed


def test_pytest_finds_the_plug_in_of_an_installed_wheel(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        (name,) = (one for one in packed.namelist() if one.endswith("entry_points.txt"))
        points = packed.read(name).decode()
    assert "[pytest11]\ncompaction-eval = compaction_eval.pytest_plugin\n" in points


def test_an_installed_wheel_works_beside_a_users_folders_of_the_same_names(
    wheel: Path, users_repository: Path
) -> None:
    """Even when it is installed two folders below a run_eval.py, which isn't ours."""
    target = users_repository / "vendored"
    run_python(
        *("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target"),
        *(str(target), str(wheel)),
        cwd=users_repository,
    )
    code = f"""
import sys; sys.path.insert(1, {str(target)!r})
{WHOSE}
from compaction_eval.strategies.vocabulary import encoding
print(encoding("o200k_base").encode("hello world"))
"""
    file, ids = run_python("-c", code, cwd=users_repository).splitlines()
    assert Path(file) == target / "compaction_eval" / "strategies" / "__init__.py"
    assert ids == "[24912, 2375]"


def test_an_editable_install_reads_the_rooms_of_the_checkout(
    checkout: Path, users_repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    target = tmp_path_factory.mktemp("editable")
    hook = f"from setuptools.build_meta import build_editable; build_editable({str(target)!r})"
    run_python("-c", hook, cwd=checkout)
    zipfile.ZipFile(next(target.glob("*.whl"))).extractall(target)
    # -S leaves out the environment's own site-packages, where this checkout may be installed.
    code = f"import site; site.addsitedir({str(target)!r})\n{WHOSE}"
    file = run_python("-S", "-c", code, cwd=users_repository).strip()
    assert Path(file) == checkout / "strategies" / "__init__.py"


def test_a_bare_checkout_reads_its_own_rooms(checkout: Path, users_repository: Path) -> None:
    code = f"import sys; sys.path.insert(1, {str(checkout / 'src')!r})\n{WHOSE}"
    file = run_python("-S", "-c", code, cwd=users_repository).strip()
    assert Path(file) == checkout / "strategies" / "__init__.py"


def test_a_bare_checkout_runs_from_any_folder(checkout: Path, users_repository: Path) -> None:
    help_text = run_python(str(checkout / "run_eval.py"), "--help", cwd=users_repository)
    assert help_text.startswith("Usage: run_eval.py")


def test_every_requirement_is_pinned_by_name_and_version_alone() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []
    pinned = {canonicalize_name(name): version for name, version in (x.split("==") for x in lines)}
    project = PYPROJECT["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    for text in sum(groups, PYPROJECT["build-system"]["requires"]):
        requirement = Requirement(text)
        name = canonicalize_name(requirement.name)
        if name != project["name"]:
            assert requirement.specifier.contains(pinned[name]), requirement
