"""The announcements of leagues: by their organiser, for the authors of the bots."""

from typing import Any

from django.db.models import Q
from django.urls import reverse

from announcements.selectors import panel_of
from announcements.subjects import Subject, subject_register
from contests.audience import people_who_know
from groups.selectors import knows_names
from leagues.models import League, Membership, MembershipState
from leagues.selectors.visible import leagues_visible, may_run
from teams.selectors import people_behind
from web.panels import panel_register


def register() -> None:
    """Let leagues have announcements."""
    subject_register("league", _found, _people, _runners)
    panel_register("league.announcements", "announcements/panel.html", panel_of("league"))


def _found(user: Any, which: Q) -> Subject | None:
    league = (League.objects.all() if user is None else leagues_visible(user)).filter(which).first()
    if league is None:
        return None
    page = reverse("leagues:detail", args=[league.slug])
    may_write = user is not None and may_run(user, league)
    open_to = (league.is_everyones, league.is_unlisted)
    shows = may_write and knows_names(user, league.group)
    return Subject("league", league.pk, league.slug, league.name, page, may_write, *open_to, shows_askers=shows)


def _people(pk: int) -> set[int]:
    league = League.objects.get(pk=pk)
    active = Membership.objects.filter(league=league, state=MembershipState.ACTIVE)
    people = {league.organiser_id, *people_behind(active.values_list("bot__owner", flat=True))}
    return people_who_know(people, league)


def _runners(pk: int) -> set[int]:
    return {League.objects.values_list("organiser", flat=True).get(pk=pk)}
