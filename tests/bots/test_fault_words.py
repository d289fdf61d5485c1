"""What the referee says of a fault is read in the reader's language, and what a bot says stays as it is."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from bots.failure import SENTENCES, failure_sentence
from bots.models import VersionState
from games.state import IllegalAction
from sandbox.inside import rules
from tests.bots.factories import BotVersionFactory

ROOT: Final = Path(settings.BASE_DIR)
SPANS: Final = ("at the start", "for one action")

# Only what plays the runner gets to see the first ones; the site refuses such an upload before it is unpacked.
IN_ENGLISH: Final = (
    "the first message is not the runner's",
    "a message of an unknown kind, 7",
    "a report of a failure that no runner makes",
    "the report of a failure cannot be decoded: 7",
    "the answer cannot be decoded: 7",
    "the upload cannot be unpacked: 7",
)


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.failure.gettext", lambda sentence: f"<{sentence}>")


def written(node: ast.expr) -> Iterator[str]:
    """The sentences that an expression may be, with 7 for each value."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(part.value if isinstance(part, ast.Constant) else "7" for part in node.values)


def sentences() -> Iterator[str]:
    """What the cage says of faults: every literal that becomes a detail."""
    for file in sorted((ROOT / "sandbox").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "BotFault" and len(node.args) > 1:
                yield from written(node.args[1])
            if (
                isinstance(node, ast.Assign)
                and getattr(node.targets[0], "id", "") == "detail"
                and file.parent.name != "inside"
            ):
                yield from written(node.value)
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and file.name == "entry.py":
                yield from (text for one in node.exc.args for text in written(one))
    for name, value in vars(rules).items():
        if name.isupper() and isinstance(value, str):
            yield f"The rule: {value}."
    yield str(IllegalAction("steal", ("roll", "stop")))


def test_every_sentence_of_the_cage_is_recognised(marked: None) -> None:
    found = []
    for text in sentences():
        # Where time was exceeded, what for is a value in the code and a part of the sentence here.
        text = text.replace("act(self, view)7", "act(self, view)")
        forms = [text.replace("allowed 7", f"allowed {span}") for span in SPANS] if "allowed 7" in text else [text]
        for form in forms:
            for one in (form.replace("s of 7", "s of CPU time"), form.replace("s of 7", "s of time on the clock")):
                found.append(one)
                if one not in IN_ENGLISH and not one.startswith("The rule: there is no NumPy here"):
                    assert failure_sentence(one).startswith("<"), one
    assert len(set(found)) > 25
    assert all(any(one.startswith(text) for one in found) for text in IN_ENGLISH)


@pytest.mark.parametrize(
    ("detail", "shown"),
    [
        (
            "0.512 s of CPU time; 0.5 s are allowed for one action\nWhen its time was up, it was here (most recent call"
            ' last):\n  File "bot.py", line 3, in act\n    while True:',
            "<0.512 s of CPU time; 0.5 s are allowed for one action>\n<When its time was up, it was here (most recent"
            ' call last):>\n  File "bot.py", line 3, in act\n    while True:',
        ),
        (
            "sandbox.inside.entry.NotTextError: act must return text, one of view['actions']; it returned int",
            "sandbox.inside.entry.NotTextError: <act must return text, one of view['actions']; it returned int>",
        ),
        (
            "the bot's process crashed: Segmentation fault (signal 11)",
            "<the bot's process crashed: Segmentation fault (signal 11)>",
        ),
        ("ValueError: the bot does not read what it is sent, he said",) * 2,
        ("",) * 2,
    ],
)
def test_text_of_the_bot_stays_unchanged(detail: str, shown: str, marked: None) -> None:
    assert failure_sentence(detail) == shown


def test_a_long_and_hostile_detail_is_read_at_once(marked: None) -> None:
    for sentence in SENTENCES:
        hostile = sentence.replace("%(", "(") * 200
        assert failure_sentence(hostile[:4096]) in (hostile[:4096], f"<{hostile[:4096]}>")


@pytest.mark.django_db
def test_the_page_of_a_refused_version_is_in_the_language_of_the_reader(marked: None) -> None:
    report = {"verdict": "cpu_time", "detail": "2.1 s of CPU time; 2 s are allowed at the start", "stage": "start"}
    version = BotVersionFactory(state=VersionState.REFUSED, report=report)
    client = Client()
    client.force_login(version.bot.owner)
    page = client.get(reverse("bots:version", args=[version.bot.slug, version.number])).content.decode()
    assert "&lt;2.1 s of CPU time; 2 s are allowed at the start&gt;" in page
