"""The platform finds its games and names none of them: what it says of one it has from the catalogue."""

import ast
import re
from pathlib import Path

import pytest

from games.catalogue.discovery import OWN

ROOT = Path(__file__).resolve().parents[2]
NAMED = re.compile("|".join(OWN), re.IGNORECASE)
# The games' own folders, and those of the values of their positions.
OF_GAMES = ("platform/games/catalogue", "platform/luck", "platform/matches/static/matches/replay/boards")
# Texts for authors, which teach with one game as an example, and the texts of our games marked for translation.
DOCUMENTATION = (
    "platform/arena/site/glossary.py",
    "platform/arena/site/marked_texts.py",
    "platform/arena/site/author_kit.py",
    "templates/site/docs_bots.html",
)
FILES = [
    path
    for room in ("platform", "tournaments", "bots", "sandbox", "templates")
    for path in sorted((ROOT / room).rglob("*"))
    if path.suffix in (".py", ".html", ".js", ".css")
    and not any(path.is_relative_to(ROOT / one) for one in (*OF_GAMES, *DOCUMENTATION))
]


def named(path: Path) -> list[str]:
    """What a file names: of Python the names and texts, but for docstrings and comments."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return NAMED.findall(text)
    tree = ast.parse(text)
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    words = [
        *(node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docs),
        *(node.id for node in ast.walk(tree) if isinstance(node, ast.Name)),
        *(node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)),
        *(alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names),
    ]
    return [word for word in words if isinstance(word, str) and NAMED.search(word)]


def test_nothing_outside_their_folders_names_a_game() -> None:
    assert len(FILES) > 900
    assert {str(path.relative_to(ROOT)): found for path in FILES if (found := named(path))} == {}


@pytest.mark.parametrize(
    "text",
    [
        'GAME = "pickomino"',
        "import games.catalogue.heckmeck",
        "from a.laghetti import GAME",
        "karteneck()",
    ],
)
def test_a_file_that_names_one_is_found(tmp_path: Path, text: str) -> None:
    (file := tmp_path / "named.py").write_text(f'"""Of pickomino."""\n\n{text}  # heckmeck\n')
    assert len(named(file)) == 1
