"""How a version was written: by hand, with a model or by an agent, as declared by its author. The site
does not guess.
"""

from typing import Final

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

MODEL_MOST: Final = 60  # characters


class Authorship(models.TextChoices):
    """Who wrote the code. In the database it is "" if the author has not declared it."""

    HAND = "hand", _("by hand")
    ASSISTED = "assisted", _("with a model")
    AGENT = "agent", _("by an agent")


WITH_MODEL: Final = (Authorship.ASSISTED, Authorship.AGENT)
AUTHORSHIPS: Final = [("", ""), *Authorship.choices]  # the choices in the API
AUTHORSHIP_HELP: Final = "As its author declares it: by hand, with a model, by an agent; empty: not said."
MODEL_HELP: Final = _("Its name and version.")
DECLARED: Final = Q(authorship__in=["", *Authorship.values]) & (
    Q(model="") | Q(authorship__in=[one.value for one in WITH_MODEL])
)


def authorship_check(authorship: str, model: str) -> None:
    """Check that a model is named only for a version that was written with one.

    Raises:
        ValidationError: for the field ``model``.
    """
    if model and authorship not in WITH_MODEL:
        raise ValidationError(
            {"model": _("Name a model only for a bot written with a model or by an agent.")}, code="no_model"
        )
