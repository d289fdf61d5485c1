"""The child process of ``bots.source_check``. It parses the source on standard input and prints one line of JSON.

A bare interpreter (``-I -S``) runs it as a script, so it imports nothing from this project. Before it reads the first
byte, it limits its own memory, time and files.
"""

import ast
import gc
import json
import sys
import warnings
from collections.abc import Iterator
from contextlib import suppress

# Bytes: enough for the interpreter and the largest tree of ``bots.source_check.MAX_TOKENS`` tokens.
MEMORY = 512 * 1024 * 1024
SECONDS = 5
COMPOUND = (ast.If, ast.Try, ast.TryStar, ast.With, ast.For, ast.While, ast.Match)


def parsed_names(body: list[ast.stmt]) -> Iterator[str]:
    """Yield the names that the module binds, as far as its statements show them."""
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.AsyncFunctionDef(name=name):
                yield f"async {name}"
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                yield from (alias.asname or alias.name for alias in aliases)
            case ast.Assign(targets=targets):
                yield from (leaf.id for target in targets for leaf in ast.walk(target) if isinstance(leaf, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
                yield name
            case _ if isinstance(node, COMPOUND):
                waiting.extend(inner for inner in _blocks(node))


def _blocks(node: ast.stmt) -> Iterator[ast.stmt]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        elif isinstance(child, ast.ExceptHandler | ast.match_case):
            yield from child.body


def parse_answer(source: bytes) -> dict[str, object]:
    """Return which of the ``names`` act, Bot, "async act" and "*" the source binds, or ``error`` and ``line``."""
    try:
        tree = ast.parse(source, "bot.py")
    except (SyntaxError, ValueError) as error:
        return {"error": str(getattr(error, "msg", error))[:200], "line": getattr(error, "lineno", None)}
    return {"names": sorted({"act", "Bot", "async act", "*"}.intersection(parsed_names(tree.body)))}


def main() -> None:
    """Print the answer and exit with 0. Any other exit code means that the source was too complex."""
    with suppress(ImportError):  # Windows lacks this module; authors parse their own source there
        _give_up_rights()
    warnings.simplefilter("ignore")
    gc.disable()  # a tree has no cycles, and the search for cycles would take seconds
    sys.stdout.write(json.dumps(parse_answer(sys.stdin.buffer.read())))


def _give_up_rights() -> None:
    import resource

    limits = {
        resource.RLIMIT_AS: MEMORY,
        resource.RLIMIT_CPU: SECONDS,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NOFILE: 16,
        resource.RLIMIT_CORE: 0,
    }
    for kind, most in limits.items():
        _soft, hard = resource.getrlimit(kind)
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (least, least))


if __name__ == "__main__":
    main()
