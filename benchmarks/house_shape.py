"""Measure the size of the code and of its files, from the sources alone: printed by ``make house``.

*A cache* is a place that stores a computed value beyond one request. Functions with ``cache`` or ``lru_cache``, and
functions that use one of Django's caches by name, are found automatically. Other stores are listed in ``STORES`` by
file and definition. Those that a checkout does not have are not counted; a test checks that this checkout has all of
them. Games, the cage and the rooms of arithmetic are left out: they cache only values of pure functions.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.house import Found, imports_of, module_of, sources

SMALL: Final = 40  # lines of a file
PURE: Final = ("games", "luck", "peck", "ratings", "sandbox")  # rooms that use neither the database nor requests
# Stores of responses, pages, parts of pages and snapshots, by file and definition, with what they store.
STORES: Final = {
    ("platform/leagues/models/season.py", "RatingSnapshot"): "ratings of a season, in rows",
    ("platform/live/hub.py", "RowsMessage"): "the last rows of each part that is followed",
    ("platform/matches/live/match_stream.py", "MatchStream"): "the messages of a match so far",
    ("platform/web/page_cache.py", "PageCache"): "whole pages for anonymous visitors",
    ("platform/web/snapshots.py", "SnapshotPart"): "computed parts of topics, in rows",
}


@dataclass(frozen=True, slots=True)
class Shape:
    """Counts of a checkout. ``rooms`` are lines by room, ``by_mark`` caches by the way in which they are found."""

    files: int
    lines: int
    rooms: Counter[str]
    small: int
    small_packages: int  # of these, ``__init__.py``
    one_importer: list[str]
    import_lines: int
    by_mark: dict[str, list[Found]]


def shape_of(root: Path) -> Shape:
    """Return the counts of the checkout at ``root``, without migrations."""
    texts = {path: (root / path).read_text().splitlines() for path, _tree in sources(root)}
    rooms: Counter[str] = Counter()
    for path, text in texts.items():
        rooms[room_of(path)] += len(text)
    small = [path for path, text in texts.items() if len(text) <= SMALL]
    return Shape(
        files=len(texts),
        lines=sum(rooms.values()),
        rooms=rooms,
        small=len(small),
        small_packages=sum(path.name == "__init__.py" for path in small),
        one_importer=_one_importer(root),
        import_lines=sum(_import_lines(tree) for _path, tree in sources(root)),
        by_mark=caches(root),
    )


def room_of(path: Path) -> str:
    """Return the room of a file."""
    return path.parts[1] if path.parts[0] == "platform" else path.parts[0]


def _one_importer(root: Path) -> list[str]:
    modules = {module_of(path): (path, tree) for path, tree in sources(root)}
    importers: Counter[str] = Counter()
    for name, (path, tree) in modules.items():
        importers.update(set(imports_of(name, path, tree, modules.keys())) - {name})
    return sorted(name for name, count in importers.items() if count == 1)


def _import_lines(tree: ast.Module) -> int:
    statements = [one for one in ast.walk(tree) if isinstance(one, ast.Import | ast.ImportFrom)]
    return sum((one.end_lineno or one.lineno) - one.lineno + 1 for one in statements)


def caches(root: Path) -> dict[str, list[Found]]:
    """Return the places that store a computed value beyond a request, by the way in which they are found."""
    found: dict[str, list[Found]] = {"functions": [], "Django's caches": [], "stores": []}
    for path, tree in sources(root):
        if room_of(path) in PURE:
            continue
        for mark, line, name in _marks(tree):
            found[mark].append(Found(str(path), line, name))
        for node in tree.body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and (what := STORES.get((str(path), node.name))):
                found["stores"].append(Found(str(path), node.lineno, f"{node.name}: {what}"))
    return found


def _marks(tree: ast.Module) -> Iterator[tuple[str, int, str]]:
    for node in ast.walk(tree):
        match node:
            case (
                ast.FunctionDef(name=name, decorator_list=decorators)
                | ast.AsyncFunctionDef(name=name, decorator_list=decorators)
            ):
                if any(_called(one) in ("cache", "lru_cache") for one in decorators):
                    yield "functions", node.lineno, name
                if any(_is_django_cache(one) for one in ast.walk(node)):
                    yield "Django's caches", node.lineno, name
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Call() as made)):
                if _called(made) == "lru_cache":
                    yield "functions", node.lineno, name


def _called(node: ast.expr) -> str:
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _is_django_cache(node: ast.AST) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "caches"


def lines_of(shape: Shape, *, wordy: bool) -> Iterator[str]:
    """Yield the lines for ``make house``; with ``wordy`` also every module with a single importer."""
    yield f"{'files':48} {shape.files:6}"
    yield f"{'lines':48} {shape.lines:6}"
    for room, lines in shape.rooms.most_common():
        yield f"{'':4}{room:44} {lines:6}"
    yield f"{f'files of at most {SMALL} lines':48} {shape.small:6} ({shape.small_packages} of them __init__.py)"
    yield f"{'modules with one importer':48} {len(shape.one_importer):6}"
    share = 100 * shape.import_lines / max(1, shape.lines)
    yield f"{'lines of imports':48} {shape.import_lines:6} ({share:.1f} %)"
    yield f"{'caches':48} {sum(map(len, shape.by_mark.values())):6}"
    for mark, places in shape.by_mark.items():
        yield f"{'':4}{mark:44} {len(places):6}"
        yield from (f"{'':8}{one}" for one in sorted(places))
    if wordy:
        yield from ("", "Modules with one importer:", *shape.one_importer)
