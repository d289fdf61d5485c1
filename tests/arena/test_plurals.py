"""A number before a noun takes the noun's singular for one: on pages, in emails, in the API and in ``peck``."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from django.conf import settings

from peck import text_counted

ROOT: Final = Path(settings.BASE_DIR)
ROOMS: Final = [ROOT / name for name in ("platform", "bots", "tournaments", "sandbox", "packages")]
ONE: Final = ("_", "gettext", "gettext_lazy", "gettext_noop", "pgettext", "pgettext_lazy")
NOUNS: Final = (
    "actions|attempts|authors|blocks|bots|bytes|cards|characters|days|deals|deliveries|entries|errors|faults|files|forfeits|"
    "games|hours|incidents|leagues|letters|lines|matches|members|minutes|months|names|opponents|pages|passkeys|people|"
    "places|players|points|portions|queries|records|results|rounds|rows|rulings|seasons|seats|seconds|seeds|stages|"
    "tables|tiles|times|tokens|tournaments|tries|turns|units|versions|viewers|votes|webhooks|weeks|words|"
    "workers|worms"
)
VALUE: Final = r"(?:%\(\w+\)[sd]|\{[^{}]*\})"
VERBS: Final = r"(?!(?:by|changed|has|have|holds|of|names|with|or|and|in) )"
COUNTED: Final = re.compile(rf"{VALUE} (?:{VERBS}[\w'-]+ ){{0,2}}?(?:{NOUNS})\b")
BLOCK: Final = re.compile(r"{%\s*blocktrans(?:late)?\b(.*?)%}(.*?){%\s*endblocktrans(?:late)?\s*%}", re.DOTALL)
TAG: Final = re.compile(r"{{\s*([\w.|]+)\s*}}")
SCRIPT: Final = re.compile(r'(?<!n)gettext\(\s*"((?:[^"\\]|\\.)*)"')

# Texts whose number is never one, or that do not count: by reason, the beginning of each.
NEVER_ONE: Final = {
    "a bound in the code, far above one": (
        "The name %(name)s is too long or too deep",
        "The zip would unpack to more than it may",
        "You have %(most)d passkeys",
        "You have %(most)d tokens already",
        "An address has at most %(most)d characters",
        "The league is full: it takes %(most)d bots",
        "A premiere must be in the future",
        "A match that ends when it is decided needs at least %(least)d deals",
        "Ends as soon as the share of the first bot is shown to be above or below",
        "Choose %(most)d rows at most",
        "A page has from 1 to %(most)d rows",
        "A key has 1 to %(most)d printable ASCII characters",
        "By these rules of FIDE rounds can be drawn",
        "A round robin at tables of more than two",
        "A number follows the name of a weekly cup",
        "Type 1 to %(most)d printable characters",
        "A round must begin in the future",
        "The share of its opponents that a bot can expect to beat",
        "At most %(most)d names at a time",
        "A series has %(most)d tournaments at most",
        "Give points to %(most)d places at most",
        "Enter 1 to %(most)d characters",
        "A choice can have at most %(most)d characters",
        "The answer to question %(number)d",
        "A place has %(most)d points at most",
        "Choose from 1 to %(most)d days",
        "After %(forfeits)s forfeited matches",
    ),
    "it was more than such a bound": (
        "The zip holds %(count)d entries",
        "bot.py holds %(count)d words",
        "These entries would play %(games)d games",
        "a message of %(size)s bytes",
        "the action has %(size)s bytes",
        "the answer has %(size)s characters",
    ),
    "a table, a field or a match of bots has two or more": (
        "%(fewest)s to %(most)s players",
        "%(fewest)s or %(most)s players",
        "%(seats)s players; bots of one author",
        "%(count)s bots level",
        "The tournament is full: it takes %(most)s bots",
        "The tournament is full: it takes %(most)d bots",
        "A table needs %(seats)d bots",
        "about %(hours)s worker-hours with %(entries)s bots",
        "Entries are closed: %(bots)d bots will play",
        "Entries are open: %(bots)d bots have entered.",
        "The last table of the heats has",
        "%(games)s of %(all)s games",
    ),
    "one more than the most that was just set, which is one or more": (
        "%(playing)d bots have entered already",
        "An author has entered %(bots)d bots already",
    ),
    "it takes more than one block to decide anything": (
        "Ends as soon as the share of the first bot is shown",
        "Ends as soon as one bot is shown to be better",
        "Ends as soon as it is decided which bot is better",
        "Stopped after %(blocks)s deals: %(bot)s is better",
        "Not decided after %(blocks)s deals",
        "Too close to call after %(blocks)s deals",
        "%(blocks)s deals, %(games)s games; one called better",
    ),
    "from two minutes on; below, it is seconds": ("Too many attempts in a short time",),
    "a name and its verb, not a number": ("%(name)s keeps the worms", "%(name)s takes entries"),
    "written with a decimal": (
        "The dice were worth %(luck)s points",
        "Your cards were worth %(points)s points",
        "%(letter)s lost %(lost)s points",
        "Luck of this roll: %(points)s points",
        "%(lost)s points less than the best choice",
        "Blunder: %(lost)s points",
        "Mistake: %(lost)s points",
        "Slip: %(lost)s points",
    ),
    "a range, whose noun is plural": ("any two bots meet %(least)s to %(most)s times",),
    "a list as long as the rules of Laghetti have rounds": ("The game begins: %(rounds)s rounds",),
}


def calls(source: str) -> Iterator[str]:
    """The texts that Python code says in one form for every number."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ONE:
            yield from (given.value for given in node.args[-1:] if isinstance(given, ast.Constant))


def blocks(source: str) -> Iterator[str]:
    """The same of a template."""
    for options, text in BLOCK.findall(source):
        if "{% plural %}" not in text:
            yield " ".join(TAG.sub(r"%(\1)s", text).split()) if "trimmed" in options else TAG.sub(r"%(\1)s", text)


def texts() -> Iterator[tuple[str, str]]:
    """Every text with one form, and where it is."""
    kinds = ((".py", calls), (".html", blocks), (".txt", blocks), (".js", SCRIPT.findall))
    files = [file for room in (*ROOMS, ROOT / "templates") for file in room.rglob("*")]
    for suffix, read in kinds:
        for file in files:
            if file.suffix == suffix and "node_modules" not in file.parts and file.name != "marked_texts.py":
                for text in read(file.read_text(encoding="utf-8")):
                    yield str(file.relative_to(ROOT)), text


def spoken(source: str) -> Iterator[str]:
    """The f-strings of Python code, each value as {...}."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            yield "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)


def test_a_number_before_a_noun_has_a_singular_and_a_plural() -> None:
    found = {text: where for where, text in texts() if COUNTED.search(text)}
    assert len(dict(texts())) > 200
    excepted = tuple(text for texts_of_one_reason in NEVER_ONE.values() for text in texts_of_one_reason)
    assert {text: where for text, where in found.items() if not text.startswith(excepted)} == {}
    assert [one for one in excepted if not any(text.startswith(one) for text in found)] == []


# Of the tool's f-strings: what is not a count of what was found.
BOUNDS: Final = (
    "{}: unpacks to more than {} bytes",
    "{}: holds more than {} bytes",
    "an answer of more than {} bytes",
    "a file of more than {} bytes",
    "{}: {} bytes",  # of a zip, so some hundred at least
    "{} players.",  # of a game, so two or more
    "{} to {} players.",
    "{}: a path may have {} characters: take a shorter one",
    "adjusted from {} blocks on, not with {}",
    "it has {} seats, and {} names were given",  # of a game, so two or more
    "seat {}: cards dealt {} points",  # with decimals
    "{} of {} lost {} points by the value {}",  # with decimals
    "{} loses {} points, before it was {}: less at {}, more than {} more at {}",
)


def test_peck_counts_in_the_singular_too() -> None:
    found = {
        text
        for file in (ROOT / "platform/peck").rglob("*.py")
        for text in spoken(file.read_text(encoding="utf-8"))
        if COUNTED.search(text)
    }
    assert found == set(BOUNDS)
    assert (text_counted(1, "match", "matches"), text_counted(0, "match", "matches")) == ("1 match", "0 matches")
    assert (text_counted(1, "game"), text_counted(2, "game")) == ("1 game", "2 games")


@pytest.mark.parametrize(
    ("text", "is_refused"),
    [
        ("%(count)d bots", True),
        ("at most %(most)s open tournaments", True),
        ("%(name)s is in the match", False),
        ("Round %(number)d", False),
        ("{len(rows)} finished matches", True),
    ],
)
def test_what_counts_as_a_number_before_a_noun(text: str, is_refused: bool) -> None:
    assert bool(COUNTED.search(text)) is is_refused
