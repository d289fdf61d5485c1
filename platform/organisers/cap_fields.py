"""Validators of form fields for what the settings cap: read when a form is checked, not when it is imported."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from organisers.caps import blocks_most, pace_most


def blocks_validate(blocks: int) -> None:
    """Raise ``ValidationError`` for more blocks of a match than the site allows."""
    _at_most(blocks, 1, blocks_most())


def pace_validate(min_action_ms: int) -> None:
    """Raise ``ValidationError`` for a slower pace than the site allows."""
    _at_most(min_action_ms, 0, pace_most())


def _at_most(value: int, least: int, most: int) -> None:
    if value > most:
        raise ValidationError(_("Allowed: %(allowed)s.") % {"allowed": f"{least} to {most}"}, code="over_cap")
