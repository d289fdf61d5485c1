"""Times say whose clock they are by; every bot has a bird of its own."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.utils import timezone

import arena.site
import web
from web.templatetags.look import GROUNDS, PLUMAGES, SPECIES, ago, bird, day, look_bird_of, moment

MARKS = (Path(arena.site.__file__).parent / "static/site/css/lists.css").read_text()
SHAPES = (Path(web.__file__).parent / "static/web/birds.svg").read_text()


def test_times_and_ages_name_utc() -> None:
    when = datetime(2026, 11, 25, 11, 23, tzinfo=UTC)
    assert moment(when) == ('<local-time datetime="2026-11-25T11:23:00+00:00">Wed, 25 Nov 2026, 11:23 UTC</local-time>')
    assert moment(when, "Europe/Zurich") == (
        '<local-time datetime="2026-11-25T11:23:00+00:00" zone="Europe/Zurich">'
        "Wed, 25 Nov 2026, 12:23 Europe/Zurich</local-time>"
    )
    assert 'title="Wed, 25 Nov 2026, 11:23 UTC"' in ago(when)
    assert "2\xa0hours ago" in ago(timezone.now() - timedelta(hours=2))


def test_after_a_week_a_list_says_the_day_and_a_history_never_says_more() -> None:
    recent = timezone.now() - timedelta(days=3, hours=5)
    assert ">3\xa0days ago</time>" in ago(recent)
    assert ">5\xa0hours ago</time>" in ago(recent + timedelta(days=3))
    when = datetime(2025, 11, 25, 11, 23, tzinfo=UTC)
    written = '<time datetime="2025-11-25T11:23:00+00:00" title="Tue, 25 Nov 2025, 11:23 UTC">25 Nov 2025</time>'
    assert ago(when) == day(when) == written
    assert day(when.date()) == "25 Nov 2025"
    assert ago(None) == day(None) == ""


def test_a_bot_has_the_same_bird_everywhere_and_its_name_cannot_write_markup() -> None:
    assert look_bird_of("wise-owl") == look_bird_of("wise-owl")
    assert look_bird_of("wise-owl").species == "owl"
    assert bird("wise-owl").startswith('<svg class="bird" data-plumage="')
    assert "<script" not in bird('"><script>')


def test_among_many_bots_few_look_alike() -> None:
    assert len({look_bird_of(f"bot-{number}") for number in range(60)}) >= 52


def test_every_bird_has_a_shape_and_its_colours() -> None:
    assert re.findall(r'<symbol id="(\w+)"', SHAPES) == list(SPECIES)
    for name, count in (("plumage", PLUMAGES), ("ground", GROUNDS)):
        assert re.findall(rf'\[data-{name}="(\d+)"\]', MARKS) == [str(number) for number in range(count)]
