"""The layout itself: names that would shadow the standard library, and the import contracts' own teeth."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE_ROOTS = (ROOT, ROOT / "platform")


def test_platform_stays_a_source_root_so_that_the_standard_library_keeps_its_name() -> None:
    assert not (ROOT / "platform" / "__init__.py").exists()
    import platform

    assert Path(platform.__file__ or "").is_relative_to(sys.base_prefix)


def test_no_package_of_ours_shadows_a_standard_module() -> None:
    ours = {path.parent.name for root in SOURCE_ROOTS for path in root.glob("*/__init__.py")}
    assert {"games", "matches", "arena", "bots", "sandbox", "tournaments"} <= ours
    assert not ours & sys.stdlib_module_names


BREACHES = {
    "games/breach.py": "import django",
    "../sandbox/breach.py": "import games.table",
    "../bots/breach.py": "import sandbox",
    "matches/breach.py": "import tournaments",
    "../tournaments/breach.py": "import arena",
}


@pytest.mark.slow
@pytest.mark.parametrize(("where", "line"), BREACHES.items())
def test_a_forbidden_import_breaks_a_contract(where: str, line: str, tmp_path: Path) -> None:
    subprocess.run(["git", "clone", "-q", str(ROOT), str(tmp_path / "clone")], check=True)
    clone = tmp_path / "clone"
    (clone / "platform" / where).write_text(line + "\n")
    done = subprocess.run(
        [str(Path(sys.executable).parent / "lint-imports")],
        cwd=clone,
        env={"PYTHONPATH": f"{clone}:{clone / 'platform'}", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1, done.stdout
    assert "BROKEN" in done.stdout
