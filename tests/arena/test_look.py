"""Times say whose clock they are by."""

from datetime import UTC, datetime, timedelta

from django.utils import timezone

from web.templatetags.look import ago, moment


def test_a_moment_and_how_long_ago_it_was_say_that_the_clock_is_utc() -> None:
    when = datetime(2026, 11, 25, 11, 23, tzinfo=UTC)
    assert moment(when) == (
        '<local-time datetime="2026-11-25T11:23:00+00:00">Nov. 25, 2026, 11:23 a.m. UTC</local-time>'
    )
    assert 'title="Nov. 25, 2026, 11:23 a.m. UTC"' in ago(when)
    assert "2\xa0hours ago" in ago(timezone.now() - timedelta(hours=2))
