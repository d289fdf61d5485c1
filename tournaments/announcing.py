"""The announcements of tournaments: by their organiser and arbiters, for the authors of the bots."""

from typing import Any

from django.db.models import Q
from django.urls import reverse

from announcements.selectors import panel_of
from announcements.subjects import Subject, subject_register
from groups.selectors import knows_names
from tournaments.hook_events import people_in
from tournaments.models import Tournament
from tournaments.selectors.entering.visible import may_rule, tournaments_visible
from web.panels import panel_register


def register() -> None:
    """Let tournaments have announcements."""
    subject_register("tournament", _found, _people, _runners)
    panel_register("tournament.announcements", "announcements/panel.html", panel_of("tournament"))


def _found(user: Any, which: Q) -> Subject | None:
    cup = (Tournament.objects.all() if user is None else tournaments_visible(user)).filter(which).first()
    if cup is None:
        return None
    page = reverse("tournaments:detail", args=[cup.slug])
    may_write = user is not None and may_rule(user, cup)
    open_to = (cup.is_everyones, cup.is_unlisted)
    shows = may_write and knows_names(user, cup.group)
    return Subject("tournament", cup.pk, cup.slug, cup.name, page, may_write, *open_to, cup.time_zone, shows)


def _people(pk: int) -> set[int]:
    return people_in(Tournament.objects.get(pk=pk), with_authors=True)


def _runners(pk: int) -> set[int]:
    return people_in(Tournament.objects.get(pk=pk), with_authors=False)
