"""`manage.py check` on a site that sends emails."""

import pytest

from arena.site.checks import SMTP, check_letters

READY = {"SITE_URL": "https://pecking.example.org", "DEFAULT_FROM_EMAIL": "hens@example.org", "EMAIL_BACKEND": SMTP}


@pytest.mark.parametrize(
    ("changes", "ids"),
    [
        ({}, []),
        ({"SITE_URL": ""}, ["arena.W001"]),
        ({"DEFAULT_FROM_EMAIL": "pecking-order@localhost"}, ["arena.W002"]),
        ({"SITE_URL": "", "DEFAULT_FROM_EMAIL": "x@localhost"}, ["arena.W001", "arena.W002"]),
        ({"SITE_URL": "pecking.example.org"}, ["arena.E001"]),
        ({"SITE_URL": "https://"}, ["arena.E001"]),
        ({"SITE_URL": "ftp://pecking.example.org"}, ["arena.E001"]),
    ],
)
def test_settings_that_emails_need_are_checked(settings, changes, ids):
    for name, value in {**READY, **changes}.items():
        setattr(settings, name, value)
    assert [message.id for message in check_letters(None)] == ids


def test_a_site_that_sends_no_emails_is_not_checked(settings):
    settings.SITE_URL = ""
    assert check_letters(None) == []
