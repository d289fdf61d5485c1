"""The layout of the repository: names of modules of the standard library, and the import contracts."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.house import class_names_twice, import_circles, look_ups_upwards, sources, switch_points
from benchmarks.house_paths import ROUTES
from benchmarks.house_shape import STORES, caches, shape_of

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


def test_a_format_is_defined_in_its_folder_only() -> None:
    assert [str(found) for found in switch_points(ROOT)] == []


def test_no_files_import_each_other() -> None:
    assert import_circles(ROOT) == []


def test_no_class_name_is_used_for_two_things() -> None:
    assert class_names_twice(ROOT) == {}


def test_no_package_imports_a_higher_one() -> None:
    assert [str(found) for found in look_ups_upwards(ROOT)] == []


PLANTED = {
    "tournaments/breach.py": "def f(stage): return stage.is_swiss or stage.format == 'heats' or Format.SWISS",
    "bots/breach.py": "from tests import x\ndef f(q): return q.filter(seats__match__audience=1)",
    "bots/one.py": "from bots.other import x",
    "bots/other.py": "def f():\n    from bots.one import y",
    "templates/tournaments/breach.html": '{% if stage.is_knockout and one.format == "dutch" %}{% endif %}',
}


def test_the_counts_find_planted_violations(tmp_path: Path) -> None:
    for where, text in PLANTED.items():
        (tmp_path / where).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / where).write_text(text)
    assert len(switch_points(tmp_path)) == 5
    assert import_circles(tmp_path) == [["bots.one", "bots.other"]]
    assert [one.what for one in look_ups_upwards(tmp_path)] == ["seats__match__audience"]


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


SHAPED = {
    "platform/web/counted.py": """from functools import cache

@cache
def f():
    return caches['optional'].get('x')
""",
    "platform/games/pure.py": "from web.counted import f\n@cache\ndef f(): return 1\n" + "\n" * 40,
    "platform/web/page_cache.py": """from web import counted
from games import (
    pure,
)
class PageCache: ...
""",
}


def test_the_shape_of_a_checkout_is_counted_from_its_sources(tmp_path: Path) -> None:
    for name, text in SHAPED.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    sources.cache_clear()
    try:
        shape = shape_of(tmp_path)
    finally:
        sources.cache_clear()
    assert (shape.files, shape.small, shape.import_lines) == (3, 2, 6)
    assert shape.rooms == {"web": 10, "games": 43}
    assert shape.one_importer == ["games.pure"]  # the other has two
    assert {mark: [str(one).partition(":")[0] for one in places] for mark, places in shape.by_mark.items()} == {
        "functions": ["platform/web/counted.py"],
        "Django's caches": ["platform/web/counted.py"],
        "stores": ["platform/web/page_cache.py"],
    }


def test_every_store_that_is_named_is_there() -> None:
    assert {(one.path, one.what.partition(":")[0]) for one in caches(ROOT)["stores"]} == set(STORES)


def test_the_traced_ways_begin_at_functions_and_are_taken_by_tests_that_are_there() -> None:
    for tests in ROUTES.values():
        for test, (_mode, start) in tests.items():
            for file, name in (test.split("::"), start.split(":")):
                assert f"def {name}(" in (ROOT / file).read_text()
