"""Count what makes the code hard to change: ``python -m benchmarks.house [ROOT]`` (``make house``).

It reads the sources of a checkout without importing them, so it also works for older ones.

*Switch points on a tournament format* are places outside ``tournaments/formats`` that name a format or a family of
formats: a member of the enumeration ``Format``, one of the old constants (such as ``KNOCKOUTS``), a property such as
``stage.is_swiss``, the code of a format as a string that is compared, listed or used as a key, an ``isinstance`` or a
``case`` with one format's class, and the same in conditions of templates, scripts and style sheets. Properties of what
a format *has* (``has_bracket``, ``draws_by_standings``) are not switch points, because a new format defines them in its
own folder. These reads are counted separately.

*Class names used twice* are counted over all top-level classes, without management commands and house bots, each of
which is a complete file as an author uploads it.
*Import circles* are groups of files that import each other. All import statements count, including those for type
checkers and inside functions, which only hide a circle. *Look-ups upwards* are strings in a room, and tags in its
templates, that name a column, a setting, a tag library, a static file or an address of a room above it.
"""

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

ROOMS: Final = ("platform", "tournaments", "bots", "sandbox")
CODES: Final = frozenset(
    ("round_robin", "swiss", "dutch", "dutch_2026", "single_elimination", "double_elimination", "heats")
)
CONSTANTS: Final = frozenset(
    ("BY_STANDINGS", "DUTCH", "EDITIONS", "FOR_TWO", "FORMATS_EXPLAINED", "KNOCKOUTS", "POSITIONS")
)
FAMILIES: Final = frozenset(("edition", "in_heats", "is_dutch", "is_knockout", "is_knockout_begun", "is_swiss"))
CAPABILITIES: Final = frozenset(("draws_by_standings", "draws_one_by_one", "fills_up", "has_bracket", "takes_rounds"))
CLASSES: Final = frozenset(("Bracket", "Dutch", "Heats", "Knockout", "RoundRobin", "Swiss"))
TEMPLATE_TAG: Final = re.compile(r"{%-?\s*(?:if|elif)\b(.*?)%}")
IN_TEMPLATE: Final = re.compile(rf"\.(?:{'|'.join(sorted(FAMILIES))})\b|\.format\s*[!=]=")
IN_SCRIPT: Final = re.compile(rf"""=\s*["'](?:{"|".join(sorted(CODES))})["']""")
# For each room, patterns that name something of a room above it. ``contest`` of a match names the room that created it.
UPWARDS: Final[Mapping[str, str]] = {
    "bots": r"\b(seats?__match\w*|entries__\w+|fixtures?__\w+|season_entries__\w+|MATCH_ARBITERS)\b"
    r"|load [\w ]*\b(leagues|match_place|standing_numbers)\b|'(matches|leagues|tournaments)[:/]",
    "platform/matches": r"\b(fixtures?__\w+|entries__\w+|season_entries__\w+)\b|tournament\|league"
    r"|load [\w ]*\b(leagues|match_place|standing_numbers)\b|'(leagues|tournaments)[:/]|MATCH_ARBITERS",
    "platform/contests": r"\b(fixtures?__\w+|entries__\w+)\b|'(matches|leagues|tournaments)[:/]",
    "platform/web": r"\b(seats?__match\w*|fixtures?__\w+|entries__\w+)\b|'(bots|matches|leagues|tournaments)[:/]",
    "platform/leagues": r"\b(fixtures?__\w+|entries__\w+)\b"
    r"|load [\w ]*\b(match_place|standing_numbers)\b|'tournaments[:/]",
}
TEMPLATES: Final[Mapping[str, str]] = {
    "bots": "templates/bots",
    "platform/matches": "templates/matches",
    "platform/contests": "templates/contests",
    "platform/leagues": "templates/leagues",
}


@dataclass(frozen=True, slots=True, order=True)
class Found:
    """A place in the sources, and the text that was found there."""

    path: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}"


@lru_cache(maxsize=1)
def sources(root: Path) -> list[tuple[Path, ast.Module]]:
    """Return every Python file of the rooms, parsed and cached. Migrations are left out."""
    paths = [path for room in ROOMS for path in sorted((root / room).rglob("*.py")) if "migrations" not in path.parts]
    return [(path.relative_to(root), ast.parse(path.read_text())) for path in paths]


def switch_points(root: Path) -> list[Found]:
    """Return the places outside the formats' folder that name a format or a family of formats."""
    found = set(_in_templates(root))
    for path, tree in sources(root):
        if path.parts[0] != "platform" and path.parts[:2] != ("tournaments", "formats"):
            found |= {Found(str(path), line, what) for line, what in _switches(tree)}
    return sorted(found)


def capability_reads(root: Path) -> list[Found]:
    """Return the places outside the formats' folder that read a property of what a format has."""
    return sorted(
        Found(str(path), node.lineno, node.attr)
        for path, tree in sources(root)
        if path.parts[:2] != ("tournaments", "formats")
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in CAPABILITIES
    )


def _switches(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="Format"), attr=member) if member.isupper():
                yield node.lineno, f"Format.{member}"
            case ast.Attribute(value=receiver, attr=name) if name in FAMILIES and _is_a_stage(receiver, name):
                yield node.lineno, f".{name}"
            case ast.Name(id=name, ctx=ast.Load()) if name in CONSTANTS:
                yield node.lineno, name
            case ast.Call(func=ast.Name(id="isinstance"), args=[_, tested]):
                yield from ((node.lineno, f"isinstance {one}") for one in sorted(_names(tested) & CLASSES))
            case ast.match_case(pattern=pattern):
                named = {one.cls.id for one in ast.walk(pattern) if isinstance(one, ast.MatchClass) and _named(one)}
                yield from ((pattern.lineno, f"case {one}") for one in sorted(named & CLASSES))
            case ast.Compare() | ast.Set() | ast.List() | ast.Dict():
                parts = node.keys if isinstance(node, ast.Dict) else ast.iter_child_nodes(node)
                yield from ((node.lineno, f'"{one.value}"') for one in parts if _is_code(one))
            case ast.keyword(arg=str(name), value=value) if name.split("__")[0] == "format" and _is_code(value):
                yield value.lineno, f'{name}="{ast.literal_eval(value)}"'


def _is_a_stage(receiver: ast.expr, name: str) -> bool:
    """Return whether the receiver is a stage: other objects have an attribute ``edition``, too."""
    return name != "edition" or (isinstance(receiver, ast.Name | ast.Attribute) and "stage" in ast.unparse(receiver))


def _is_code(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in CODES


def _named(pattern: ast.MatchClass) -> bool:
    return isinstance(pattern.cls, ast.Name)


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _in_templates(root: Path) -> Iterator[Found]:
    for path in sorted((root / "templates").rglob("*.html")):
        for line, text in enumerate(path.read_text().splitlines(), start=1):
            for tag in TEMPLATE_TAG.finditer(text):
                for column, hit in enumerate(IN_TEMPLATE.findall(tag[1]), start=tag.start()):
                    yield Found(str(path.relative_to(root)), line, f"{hit} (column {column})")
    served = [path for room in ROOMS for path in (root / room).rglob("static/**/*") if path.suffix in (".js", ".css")]
    for path in sorted(served):
        for line, text in enumerate(path.read_text().splitlines(), start=1):
            for hit in IN_SCRIPT.finditer(text):
                yield Found(str(path.relative_to(root)), line, f"{hit[0]} (column {hit.start()})")


def class_names_twice(root: Path) -> dict[str, list[str]]:
    """Return the class names that are defined in several files, with these files."""
    defined: defaultdict[str, list[str]] = defaultdict(list)
    for path, tree in sources(root):
        if "bots" in path.parts[:-1] and ("catalogue" in path.parts or "house" in path.parts):
            continue
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not (node.name == "Command" and "management" in path.parts):
                defined[node.name].append(str(path))
    return {name: paths for name, paths in sorted(defined.items()) if len(paths) > 1}


def import_circles(root: Path) -> list[list[str]]:
    """Return groups of files that import each other, sorted."""
    modules = {module_of(path): (path, tree) for path, tree in sources(root)}
    graph = {name: set(imports_of(name, *modules[name], modules.keys())) - {name} for name in modules}
    return sorted(sorted(group) for group in _components(graph) if len(group) > 1)


def module_of(path: Path) -> str:
    """Return the import name of a file."""
    parts = path.with_suffix("").parts
    parts = parts[1:] if parts[0] == "platform" else parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(name: str, path: Path, tree: ast.Module, known: Collection[str]) -> Iterator[str]:
    """Yield the modules of ``known`` that the module ``name`` imports, once for each import statement."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name in known)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1]) if node.level else ""
            origin = ".".join(filter(None, (base, node.module)))
            for one in node.names:
                module = f"{origin}.{one.name}"
                yield from (target for target in [module if module in known else origin] if target in known)


def _components(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """Return the strongly connected components of the graph."""
    reached = {name: _reached(graph, name) for name in graph}
    groups = {frozenset(other for other in reached[name] if name in reached[other]) | {name} for name in graph}
    return [set(group) for group in groups]


def _reached(graph: Mapping[str, set[str]], start: str) -> set[str]:
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        fresh = graph[waiting.pop()] - reached
        reached |= fresh
        waiting += fresh
    return reached


def look_ups_upwards(root: Path) -> list[Found]:
    """Return the strings in a room, and tags in its templates, that name something of a room above it."""
    found = set()
    for path, tree in sources(root):
        room = next((one for one in UPWARDS if path.parts[: len(Path(one).parts)] == Path(one).parts), None)
        if room is None:
            continue
        spoken = {
            id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)
        }  # docstrings may name anything
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in spoken:
                found |= {Found(str(path), node.lineno, hit[0]) for hit in re.finditer(UPWARDS[room], node.value)}
            elif isinstance(node, ast.keyword) and node.arg and (hit := re.search(UPWARDS[room], node.arg)):
                found.add(Found(str(path), node.value.lineno, hit[0]))
            elif isinstance(node, ast.Attribute) and (hit := re.search(UPWARDS[room], node.attr)):
                found.add(Found(str(path), node.lineno, hit[0]))
    for room, folder in TEMPLATES.items():
        for path in sorted((root / folder).rglob("*.html")):
            for line, text in enumerate(path.read_text().splitlines(), start=1):
                hits = re.finditer(UPWARDS[room], text)
                found |= {Found(str(path.relative_to(root)), line, hit[0]) for hit in hits}
    return sorted(found)


def main(arguments: list[str]) -> None:
    """Print the counts of the checkout at ``arguments[0]``, by default this one. ``-v`` prints every place."""
    from benchmarks.house_shape import lines_of, shape_of  # it imports this module

    wordy = "-v" in arguments
    given = [one for one in arguments if one != "-v"]
    root = Path(given[0]).resolve() if given else Path(__file__).resolve().parents[1]
    switches, upwards = switch_points(root), look_ups_upwards(root)
    twice, circles = class_names_twice(root), import_circles(root)
    files = Counter(one.path for one in switches)
    print(f"{'switch points on a format outside its folder':48} {len(switches):4} in {len(files)} files")
    print(f"{'reads of what a format has':48} {len(capability_reads(root)):4}")
    print(f"{'class names used twice':48} {len(twice):4}")
    print(f"{'import circles of files':48} {len(circles):4}")
    print(f"{'look-ups into a room above':48} {len(upwards):4}")
    print(*lines_of(shape_of(root), wordy=wordy), sep="\n")
    if wordy:
        print("", "Switch points:", *switches, "", "Class names used twice:", sep="\n")
        print(*(f"{name}: {', '.join(paths)}" for name, paths in twice.items()), sep="\n")
        print("", "Import circles:", *map(" <-> ".join, circles), "", "Look-ups:", *upwards, sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
