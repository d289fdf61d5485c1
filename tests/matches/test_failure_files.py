"""A failure as a file: its author alone may have it, and it fails again at home."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from matches.models import Audience, Fault
from peck.__main__ import main
from tests.arena.factories import UserFactory
from tests.bots.factories import BotVersionFactory
from tests.matches.factories import CRASHES, FinishedMatchFactory

pytestmark = pytest.mark.django_db


def download(person: Any, address: str) -> Any:
    client = Client()
    if person:
        client.force_login(person)
    return client.get(address)


@pytest.mark.parametrize("audience", [one for one in Audience.values if one != Audience.GROUP])
def test_it_is_its_authors_alone(audience: str) -> None:
    organiser, staff = UserFactory(is_organiser=True), UserFactory(is_staff=True, is_superuser=True)
    crasher, rival = BotVersionFactory(source=CRASHES), BotVersionFactory()
    match = FinishedMatchFactory(seats=[crasher, rival], audience=audience, organiser=organiser)
    fault = Fault.objects.filter(seat__match=match).select_related("game").get(verdict="crashed")
    address = reverse("bots:failure-file", args=[crasher.bot.slug, match.pk, fault.game.index])
    shown = 200 if audience in (Audience.EVERYONE, Audience.UNLISTED, Audience.AUTHORS) else 404
    people = {crasher.bot.owner: shown, rival.bot.owner: 404, organiser: 404, staff: 404, UserFactory(): 404, None: 302}
    assert {person: download(person, address).status_code for person in people} == people
    Fault.objects.filter(pk=fault.pk).update(is_kept=False, view=None)
    assert download(crasher.bot.owner, address).status_code == 404


def test_it_fails_again_at_home(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crasher = BotVersionFactory(source=CRASHES)
    match = FinishedMatchFactory(seats=[crasher, BotVersionFactory()])
    (tmp_path / "bot.py").write_bytes(CRASHES)
    page = download(crasher.bot.owner, reverse("bots:failures", args=[crasher.bot.slug])).content.decode()
    faults = Fault.objects.filter(seat__match=match).select_related("game")
    assert {fault.verdict for fault in faults} == {"crashed", "forfeited"}  # which is no new failure
    for fault in faults:
        address = reverse("bots:failure-file", args=[crasher.bot.slug, match.pk, fault.game.index])
        assert (address in page) == (fault.verdict == "crashed")
        if fault.verdict == "forfeited":
            assert download(crasher.bot.owner, address).status_code == 404
            continue
        answer = download(crasher.bot.owner, address)
        name = answer["Content-Disposition"].partition("filename=")[2].strip('"')
        assert f"peck.pyz replay {name} bot.py" in page
        (tmp_path / name).write_bytes(answer.content)
        assert main(["replay", str(tmp_path / name), str(tmp_path / "bot.py")]) == 3
        assert "it happens again, decision 1: crashed, line 2: ValueError: no idea" in capsys.readouterr().out
    for missing in ((match.pk, 99), (match.pk + 1, 0)):
        address = reverse("bots:failure-file", args=[crasher.bot.slug, *missing])
        assert download(crasher.bot.owner, address).status_code == 404
