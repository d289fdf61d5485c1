"""The installation, on machines that lack something. Python, apt-get and id are stand-ins that note what they did."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTHON = f"""#!/bin/sh
if [ "$1" = -c ]; then exec {sys.executable} "$@"; fi
mkdir -p "$3/bin" "$3/lib/python3.11/site-packages"
if [ ! -e "$STAGE/venv-works" ]; then echo "ensurepip is not available"; exit 1; fi
cp "$STAGE/bin/of-venv" "$3/bin/python"
"""
OF_VENV = f"""#!/bin/sh
if [ "$1" = -I ]; then exec {sys.executable} "$@"; fi
echo "$@" >>"$STAGE/pip"
packages=$VENV/lib/python3.11/site-packages
case "$*" in *" -e .") printf '%s\\n' "$PWD" "$PWD/platform" >"$packages/_pecking_order.pth";; esac
"""
APT_GET = """#!/bin/sh
echo "$@" >>"$STAGE/apt-get"
case "$*" in *install*) [ -e "$STAGE/apt-works" ] && touch "$STAGE/venv-works";; esac
"""
OLD = "#!/bin/sh\nexit 1\n"


class Stage:
    """A directory with a PATH of stand-ins."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.venv = path / ".venv"
        (path / "bin").mkdir()
        self.stand_in("python3", PYTHON)
        self.stand_in("of-venv", OF_VENV)
        self.stand_in("apt-get", APT_GET)
        self.is_root(True)

    def stand_in(self, name: str, text: str) -> None:
        file = self.path / "bin" / name
        file.write_text(text)
        file.chmod(0o755)

    def is_root(self, yes: bool) -> None:
        self.stand_in("id", f"#!/bin/sh\necho {0 if yes else 1000}\n")

    def has(self, name: str) -> None:
        (self.path / name).touch()

    def noted(self, name: str) -> list[str]:
        file = self.path / name
        return file.read_text().splitlines() if file.exists() else []

    def install(self) -> "subprocess.CompletedProcess[str]":
        environment = {
            "PATH": f"{self.path / 'bin'}:{os.environ['PATH']}",
            "STAGE": str(self.path),
            "VENV": str(self.venv),
        }
        command = ["sh", str(ROOT / ".ci" / "install"), "run"]
        return subprocess.run(command, cwd=self.path, env=environment, capture_output=True, text=True)


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def test_it_makes_an_environment_and_installs_the_lock_with_its_hashes(stage: Stage) -> None:
    stage.has("venv-works")
    done = stage.install()
    assert done.returncode == 0, done.stderr
    assert any("--require-hashes -r requirements/run.lock" in line for line in stage.noted("pip"))
    assert stage.noted("apt-get") == []
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["Installing", "Installed"]


def test_the_environment_is_read_in_a_folder_with_non_ascii_letters_in_any_locale(tmp_path: Path) -> None:
    (tmp_path / "G\u00f6\u017c").mkdir()
    stage = Stage(tmp_path / "G\u00f6\u017c")
    stage.has("venv-works")
    assert stage.install().returncode == 0
    packages = stage.venv / "lib" / "python3.11" / "site-packages"
    read = (packages / "_pecking_order.pth").read_text("ascii").splitlines()
    assert [(packages / line).resolve() for line in read] == [stage.path, stage.path / "platform"]


def test_a_missing_venv_package_is_installed_where_that_is_permitted(stage: Stage) -> None:
    stage.has("apt-works")
    done = stage.install()
    assert done.returncode == 0, done.stderr
    assert any(line.startswith("install") and line.endswith("-venv") for line in stage.noted("apt-get"))
    assert stage.noted("pip")


def test_without_permission_to_install_it_names_what_is_missing_and_leaves_no_partial_files(stage: Stage) -> None:
    stage.is_root(False)
    done = stage.install()
    assert done.returncode != 0
    assert "apt-get install python3." in done.stderr
    assert stage.noted("apt-get") == []
    assert not stage.venv.exists()


def test_a_package_that_cannot_be_had_ends_the_same_way(stage: Stage) -> None:
    done = stage.install()
    assert done.returncode != 0
    assert "apt-get install python3." in done.stderr
    assert not stage.venv.exists()


def test_an_environment_that_was_left_half_made_is_made_again(stage: Stage) -> None:
    stage.has("venv-works")
    (stage.venv / "bin").mkdir(parents=True)
    (stage.venv / "left over").touch()
    assert stage.install().returncode == 0
    assert not (stage.venv / "left over").exists()


def test_an_old_python_is_skipped_and_a_missing_one_reported(stage: Stage) -> None:
    for name in ("python3", "python3.11", "python3.12", "python3.13", "python3.14"):
        stage.stand_in(name, OLD)
    done = stage.install()
    assert done.returncode != 0
    assert "Python 3.11 or later" in done.stderr
    stage.has("venv-works")
    stage.stand_in("python3.12", PYTHON)
    assert stage.install().returncode == 0


UV = """#!/bin/sh
echo "$@" >>"$STAGE/uv"
[ -e "$STAGE/uv-works" ]
"""


@pytest.mark.parametrize("works", [True, False])
def test_uv_installs_the_lock_file_and_pip_is_the_fallback(stage: Stage, works: bool) -> None:
    stage.has("venv-works")
    assert stage.install().returncode == 0
    (stage.path / "pip").unlink()
    (stage.venv / "bin" / "uv").write_text(UV)
    (stage.venv / "bin" / "uv").chmod(0o755)
    if works:
        stage.has("uv-works")
    assert stage.install().returncode == 0
    lock = "--require-hashes -r requirements/run.lock"
    assert any(lock in line for line in stage.noted("uv"))
    assert any(lock in line for line in stage.noted("pip")) is not works


def test_a_lock_that_cannot_be_installed_ends_it(stage: Stage) -> None:
    stage.has("venv-works")
    assert stage.install().returncode == 0
    python = stage.venv / "bin" / "python"
    python.write_text('#!/bin/sh\ncase "$*" in *run.lock*) exit 1;; esac\n')
    assert stage.install().returncode != 0
