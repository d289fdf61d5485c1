"""Rule 2 of CONTRIBUTING.md: services take keywords and are named noun first, selectors write nothing."""

import ast
import re
import subprocess
from collections.abc import Iterator
from importlib import import_module
from inspect import Parameter, isfunction, signature
from pathlib import Path
from typing import Final

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS: Final = (
    "announcements",
    "assignments",
    "bots",
    "groups",
    "teams",
    "hooks",
    "notices",
    "matches",
    "contests",
    "leagues",
    "puzzles",
    "series",
    "tournaments",
)
VERBS: Final = set(
    re.findall(
        r"\S+",
        """
        accept add admit advance announce append apply ask assign beat bench cancel check close copy create decide
        delete drop edit end expire forfeit hold join leave let lock make move notify open pause publish read refit
        refresh refuse release remove renew reopen requeue reseat reseed restore resume revoke rotate schedule send
        set settle start submit swap sync tend update upload withdraw write keep rename
        """,
    )
)
WRITES: Final = {
    *("save", "create", "bulk_create", "bulk_update", "delete", "get_or_create", "update_or_create", "aupdate"),
    *("asave", "acreate", "adelete"),
}


def offered(room: str) -> Iterator[tuple[str, object]]:
    """The functions that a room's services offer: of a package what it exports, of a module what is its own."""
    services = import_module(f"{room}.services")
    for name in getattr(services, "__all__", vars(services)):
        value = getattr(services, name)
        if isfunction(value) and not name.startswith("_") and value.__module__.startswith(services.__name__):
            yield name, value


@pytest.mark.parametrize("room", ROOMS)
def test_services_take_keywords_and_are_named_noun_first(room: str) -> None:
    services = dict(offered(room))
    assert services
    for name, service in services.items():
        kinds = {parameter.kind for parameter in signature(service).parameters.values()}  # type: ignore[arg-type]
        assert kinds <= {Parameter.KEYWORD_ONLY, Parameter.VAR_KEYWORD}, f"{room}.services.{name}"
        noun, *rest = name.split("_")
        assert noun not in VERBS, f"{room}.services.{name}: the noun goes first"
        assert VERBS & set(rest), f"{room}.services.{name}: no verb that this test knows"


def selector_modules() -> list[Path]:
    modules = [path for room in ("platform", "bots", "tournaments") for path in (ROOT / room).glob("**/*.py")]
    return [path for path in modules if "selectors" in (path.stem, path.parent.name)]


@pytest.mark.parametrize("path", selector_modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_selectors_write_nothing(path: Path) -> None:
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    methods = {call.func.attr for call in calls if isinstance(call.func, ast.Attribute)}
    assert methods & WRITES == set()


def test_the_map_in_contributing_names_existing_directories() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    table = text.split("## Map", 1)[1].split("\n## ", 1)[0]
    cells = re.findall(r"^\|[^|]+\|(.+)\|$", table, re.MULTILINE)
    named = {name for cell in cells for name in re.findall("`([^`]+)`", cell)}
    assert len(named) > 30
    assert {name for name in named if not (ROOT / name).exists()} == set()


def test_no_line_of_a_template_is_longer_than_160_characters() -> None:
    """Template tags are not counted: Django has no tags of two lines."""
    listed = subprocess.run(["git", "ls-files", "*.html"], cwd=ROOT, capture_output=True, text=True, check=True)
    long = [
        f"{path}:{number}"
        for path in listed.stdout.splitlines()
        for number, line in enumerate((ROOT / path).read_text().splitlines(), 1)
        if len(re.sub(r"{%.*?%}|{{.*?}}", "", line)) > 160
    ]
    assert long == []


def test_a_template_writes_a_time_by_one_of_three_filters() -> None:
    """``moment``, ``ago`` and ``day`` of ``web.templatetags.look``; the axis of a graph cannot take an element."""
    listed = subprocess.run(["git", "ls-files", "templates"], cwd=ROOT, capture_output=True, text=True, check=True)
    other = re.compile(r"\|(date:(?!'c')|time\b|timesince|timeuntil|natural)")
    texts = {path: (ROOT / path).read_text() for path in listed.stdout.split() if not path.endswith("/graph_date.html")}
    assert [
        (path, text[found.start() - 40 : found.end()]) for path, text in texts.items() for found in other.finditer(text)
    ] == []
