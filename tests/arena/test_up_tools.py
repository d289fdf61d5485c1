"""What tests need beside Python, on machines that lack it. apt-get and id are stand-ins that note what they did."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
APT_GET = '#!/bin/sh\necho "$@" >>"$STAGE/apt-get"\n[ -e "$STAGE/apt-works" ]\n'
PROGRAMS = ("chromium", "bwrap", "npm", "newuidmap")


class Stage:
    """A directory that is the whole PATH: a shell's needs, stand-ins, and what the machine has."""

    def __init__(self, path: Path) -> None:
        self.path = path
        (path / "bin").mkdir()
        for name in ("sh", "dirname", "mktemp", "rm", "tail"):
            (path / "bin" / name).symlink_to(shutil.which(name) or name)
        self.stand_in("apt-get", APT_GET)
        self.stand_in("id", "#!/bin/sh\necho 0\n")

    def stand_in(self, name: str, text: str = "#!/bin/sh\n") -> None:
        file = self.path / "bin" / name
        file.write_text(text)
        file.chmod(0o755)

    def tools(self, *what: str) -> "subprocess.CompletedProcess[str]":
        environment = {"PATH": str(self.path / "bin"), "STAGE": str(self.path), "TMPDIR": str(self.path)}
        shell = shutil.which("sh") or "sh"
        command = [shell, str(ROOT / ".ci" / "tools"), *what]
        return subprocess.run(command, env=environment, capture_output=True, text=True)

    @property
    def installed(self) -> str:
        file = self.path / "apt-get"
        return file.read_text() if file.exists() else ""


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def test_a_complete_machine_gets_no_message(stage: Stage) -> None:
    for name in PROGRAMS:
        stage.stand_in(name)
    done = stage.tools("browser")
    assert (done.returncode, done.stdout, done.stderr, stage.installed) == (0, "", "", "")


def test_only_what_is_lacking_is_installed_without_questions(stage: Stage) -> None:
    stage.stand_in("google-chrome")
    stage.stand_in("npm")
    (stage.path / "apt-works").touch()
    done = stage.tools("browser")
    assert (done.returncode, done.stdout, done.stderr) == (0, "Installing bubblewrap uidmap ...\n", "")
    assert stage.installed.endswith("install -y -qq --no-install-recommends bubblewrap uidmap\n")


@pytest.mark.parametrize("user", [0, 1000], ids=["package cannot be had", "not root"])
def test_a_tool_that_cannot_be_installed_is_reported_and_the_tests_go_on(stage: Stage, user: int) -> None:
    stage.stand_in("id", f"#!/bin/sh\necho {user}\n")
    stage.stand_in("chromium-browser")
    stage.stand_in("npm")
    done = stage.tools("browser")
    assert done.returncode == 0
    assert "'apt-get install bubblewrap uidmap' brings them back" in done.stdout
    assert bool(stage.installed) == (user == 0)


def test_a_browser_without_windows_is_installed_where_there_is_one(stage: Stage) -> None:
    for name in (*PROGRAMS, "apt-cache"):
        stage.stand_in(name)
    (stage.path / "apt-works").touch()
    done = stage.tools("browser")
    assert (done.returncode, done.stderr) == (0, "")
    assert stage.installed.endswith("--no-install-recommends chromium-headless-shell fonts-dejavu-core\n")


def test_where_there_is_none_the_whole_one_is_installed(stage: Stage) -> None:
    for name in PROGRAMS[1:]:
        stage.stand_in(name)
    stage.stand_in("apt-get", APT_GET + 'case "$*" in *headless*) exit 1 ;; esac\n')
    (stage.path / "apt-works").touch()
    assert stage.tools("browser").returncode == 0
    assert [line.split()[-2:] for line in stage.installed.splitlines() if "install" in line] == [
        ["chromium-headless-shell", "fonts-dejavu-core"],
        ["chromium", "fonts-dejavu-core"],
    ]


def test_without_tests_in_the_browser_none_is_needed(stage: Stage) -> None:
    stage.stand_in("bwrap")
    stage.stand_in("newuidmap")
    done = stage.tools()
    assert (done.returncode, done.stdout, done.stderr, stage.installed) == (0, "", "", "")


@pytest.mark.parametrize("fails", ["npm", "node"])
def test_errors_of_npm_and_node_are_shown(fails: str, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    for name, text in {
        "npm": 'mkdir -p "$3/node_modules/pyodide"\necho "up to date"',
        "node": "true",
        fails: 'echo "npm error code E403" >&2\necho "npm error 403 Forbidden - GET pyodide" >&2\nexit 1',
    }.items():
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / "bin" / name).chmod(0o755)
    path = f"{tmp_path / 'bin'}:/usr/bin:/bin"
    environment = {"PATH": path, "VENV": str(tmp_path / "venv ż"), "LC_ALL": "C"}
    done = subprocess.run(["sh", ".ci/npm"], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    first, *output = done.stdout.splitlines()
    assert first.startswith("The playground is left out: ")
    assert output == ["  npm error code E403", "  npm error 403 Forbidden - GET pyodide"]
    assert not (tmp_path / "venv ż/npm/done").exists()
