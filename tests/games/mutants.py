"""Do the tests notice when a rule is changed? Small changes of the rules, each tried against the tests of its game.

``python -m tests.games.mutants [COUNT [SEED]]`` tries a sample and names the changes that no test noticed.

A program of our own: the rules lie below a second source root, so a copy of one package that comes first on the path is
enough, and each change is tried in a process that was forked with all else loaded already.
"""

import ast
import os
import random
import resource
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import hypothesis  # noqa: F401  loaded here once, and not by every process that is forked
import jsonschema_rs  # noqa: F401
import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
RULES: Final = ROOT / "platform/games/catalogue"
SECONDS: Final = 120  # of processor time; a change that makes a game endless is noticed by it
GAMES: Final = ("pickomino", "heckmeck", "karteneck", "laghetti")
SHARED: Final = {
    "grill": ("pickomino", "heckmeck"),
    "heckmeck_v1": ("heckmeck",),
    "karteneck_v1": ("karteneck",),
    "starting.py": GAMES,
    "__init__.py": GAMES,
}
NO_RULES: Final = {"bots", "scene.py", "schema.py"}  # how a game is played well, drawn and described
SWAPS: Final[dict[type[ast.AST], type[ast.AST]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of one expression in a file of the rules."""

    path: Path
    line: int
    before: str
    after: str
    source: str  # of the whole file, changed

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.before}  ->  {self.after}"

    @property
    def tests(self) -> list[str]:
        """What pytest is to run: the sentences of the rules first, which notice most."""
        room = self.path.relative_to(RULES).parts[0]
        games = SHARED.get(room, (room,))
        files = [path for game in games for path in sorted((ROOT / "tests/games").glob(f"test_{game}*.py"))]
        shared = [ROOT / "tests/games" / f"test_{name}.py" for name in ("vectors", "options", "conformance")]
        return [*map(str, (*files, *shared)), "-k", " or ".join(games)]


def mutants() -> list[Mutant]:
    """Every change, in an order of its own."""
    return [mutant for path in _files() for mutant in _of(path)]


def _files() -> list[Path]:
    return [path for path in sorted(RULES.rglob("*.py")) if NO_RULES.isdisjoint(path.relative_to(RULES).parts)]


def _of(path: Path) -> Iterator[Mutant]:
    source = path.read_text(encoding="utf-8")
    lines = source.splitlines(keepends=True)
    for node in _expressions(ast.parse(source)):
        before = ast.get_source_segment(source, node) or ""
        for changed in _changes(node):
            after = f"({changed})" if isinstance(node, ast.BoolOp | ast.BinOp | ast.UnaryOp) else changed
            start, end = (
                _offset(lines, node.lineno, node.col_offset),
                _offset(lines, node.end_lineno, node.end_col_offset),
            )
            whole = source.encode()[:start].decode() + after + source.encode()[end:].decode()
            yield Mutant(path, node.lineno, " ".join(before.split()), changed, whole)


def _offset(lines: list[str], line: int | None, column: int | None) -> int:
    """In bytes, as the columns of a syntax tree are."""
    assert line is not None
    assert column is not None
    return sum(len(text.encode()) for text in lines[: line - 1]) + column


def _expressions(node: ast.AST) -> Iterator[ast.expr]:
    """Without annotations, and without what stands within an f-string."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns") or isinstance(node, ast.JoinedStr):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.expr):
                yield child
            if isinstance(child, ast.AST):
                yield from _expressions(child)


def _changes(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Compare(left, [op], right) if type(op) in SWAPS:
            yield ast.unparse(ast.Compare(left, [SWAPS[type(op)]()], right))  # type: ignore[list-item]
        case ast.BinOp(left, op, right) if type(op) in SWAPS and not _is_text(left) and not _is_text(right):
            yield ast.unparse(ast.BinOp(left, SWAPS[type(op)](), right))  # type: ignore[arg-type]
        case ast.BoolOp(op, values):
            yield ast.unparse(ast.BoolOp(SWAPS[type(op)](), values))  # type: ignore[arg-type]
        case ast.UnaryOp(ast.Not(), operand):
            yield f"bool({ast.unparse(operand)})"
        case ast.IfExp(test, body, orelse):
            yield ast.unparse(ast.IfExp(test, orelse, body))
        case ast.Constant(bool(value)):
            yield str(not value)
        case ast.Constant(int(value)):
            yield str(value + 1)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def survivors(sample: Iterable[Mutant], processes: int = os.cpu_count() or 1) -> list[Mutant]:
    """Those that no test noticed."""
    waiting, running, found = list(sample), {}, []
    while waiting or running:
        while waiting and len(running) < processes:
            mutant = waiting.pop(0)
            running[_begin(mutant)] = mutant
        pid, status = os.wait()
        mutant = running.pop(pid)
        if status == 0:
            found.append(mutant)
    return found


def _begin(mutant: Mutant) -> int:
    sys.stdout.flush()
    if pid := os.fork():
        return pid
    code = 3
    try:
        code = _try(mutant)
    finally:
        os._exit(code)


def _try(mutant: Mutant) -> int:
    """In a process of its own: 0 where every test passes."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)
    with tempfile.TemporaryDirectory(prefix="po-mutant-") as place:
        copy = Path(place) / "games"
        shutil.copytree(ROOT / "platform/games", copy, ignore=shutil.ignore_patterns("__pycache__"))
        (copy / mutant.path.relative_to(ROOT / "platform/games")).write_text(mutant.source, encoding="utf-8")
        sys.path.insert(0, place)
        sys.dont_write_bytecode = True
        ours = ["-c", os.devnull, "--rootdir", str(ROOT), "-p", "no:django", "-p", "no:cacheprovider", "-p", "no:xdist"]
        return int(pytest.main([*ours, "-x", "-q", "-m", "not slow", *mutant.tests]))


def unchanged() -> list[Mutant]:
    """The files as they are, one a room: their tests must pass, or nothing is learnt from tests that fail."""
    first = {path.relative_to(RULES).parts[0]: path for path in _files()}
    return [Mutant(path, 1, "", "", path.read_text(encoding="utf-8")) for path in first.values()]


def main(count: int = 60, seed: int = 1) -> tuple[int, list[Mutant]]:
    """How many of the sample were tried, and which of them survived."""
    if "games" in sys.modules:
        raise RuntimeError("the rules are loaded already: a process that is forked would keep them as they are")
    every = mutants()
    sample = random.Random(seed).sample(every, min(count, len(every)))
    broken = {mutant.path for mutant in unchanged()} - {mutant.path for mutant in survivors(unchanged())}
    if broken:
        raise RuntimeError(f"tests fail without any change: {broken}")
    left = survivors(sample)
    print(f"{len(every)} changes of the rules, {len(sample)} tried (seed {seed}), {len(left)} noticed by no test")
    for mutant in sorted(left, key=str):
        print(f"  {mutant}")
    return len(sample), left


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
