"""The documents say what the code does."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| (`[A-Z_`, ]+`) \|", re.MULTILINE)
READ_ELSEWHERE = {"DJANGO_SETTINGS_MODULE"}  # by Django
READ_ELSEWHERE |= {  # by upload_limits(PREFIX)
    f"{prefix}_{end}"
    for prefix in ("UPLOAD", "LARGE_UPLOAD")
    for end in ("SOURCE_KIB", "ZIP_KIB", "UNPACKED_KIB", "FILES")
}
# By os.environ itself, or by one of arena.settings.environment's functions, of which one takes several names.
READ = re.compile(
    r"""(?:environ(?:\.get\(|\[)|environment_(?:number|switch|choice|pairs|required|database|object_storage|range_service|error_tracker|page_address|vapid_key)\(|environment_server\(\()\s*"([A-Z_]+)"""
    r"""|(?<=_URL", ")([A-Z_]+)"""
)


def test_the_page_of_settings_lists_exactly_the_variables_that_are_read() -> None:
    settings = "".join(path.read_text() for path in (ROOT / "platform/arena/settings").glob("*.py"))
    read = {name for names in READ.findall(settings) for name in names if name} | READ_ELSEWHERE
    rows = ROW.findall((ROOT / "docs/reference/settings.md").read_text())
    assert set(re.findall(r"[A-Z_]+", " ".join(rows))) == read


def test_the_environment_is_read_in_the_settings_and_nowhere_else() -> None:
    # They name the settings.
    adapters = {ROOT / "platform/arena" / name for name in ("asgi.py", "celery_app.py", "serving.py")}
    # On an author's machine there are no settings.
    adapters |= {ROOT / f"platform/peck/{name}.py" for name in ("account", "agent_commands", "cage", "check", "child")}
    adapters.add(ROOT / "platform/arena/backup/databases.py")  # it hands it on to PostgreSQL's programs
    adapters.add(ROOT / "bots/source_check.py")  # it parses a bot there too
    adapters.add(ROOT / "platform/peck/browser.py")  # it empties it
    sources = [path for room in ("platform", "bots", "tournaments") for path in ROOT.glob(f"{room}/**/*.py")]
    readers = [path for path in sources if "os.environ" in path.read_text() and path.parent.name != "settings"]
    assert set(readers) <= adapters


@pytest.mark.parametrize(
    "target",
    [
        "run",
        "test",
        "test-browser",
        "test-processes",
        "test-simulations",
        "test-fast",
        "coverage",
        "lint",
        "bench",
        "test-slow",
        "test-hostile",
        "test-postgres",
        "lock",
    ],
)
def test_every_command_that_contributing_names_is_there(target: str) -> None:
    assert f"`make {target}`" in (ROOT / "CONTRIBUTING.md").read_text()
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
