"""`manage.py check` on a site whose letters leave the machine."""

import pytest

from arena.site.checks import SMTP, check_letters

READY = {"SITE_URL": "https://pecking.example.org", "DEFAULT_FROM_EMAIL": "hens@example.org", "EMAIL_BACKEND": SMTP}


@pytest.mark.parametrize(
    ("changes", "said"),
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
def test_what_a_letter_would_lack_is_said(settings, changes, said):
    for name, value in {**READY, **changes}.items():
        setattr(settings, name, value)
    assert [message.id for message in check_letters(None)] == said


def test_a_site_that_keeps_its_letters_is_left_alone(settings):
    settings.SITE_URL = ""
    assert check_letters(None) == []
