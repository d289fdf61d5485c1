"""Delete accounts and expired data. Personal data are deleted. Data that others rely on, such as results, remain
without the name.
"""

from datetime import timedelta

from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from announcements.questions.services import private_questions_delete
from arena.accounts.models import AccessToken, User
from assignments.services import hand_in_sharing_marks_keep
from bots.deletion import bots_delete, deleted_bots_account
from bots.models import Bot
from groups.services import group_memberships_release
from leagues.models import League, LeagueState
from notices.following import follows_delete
from series.models import TournamentSeries
from teams.services import teams_release
from tournaments.models import Ruling, Tournament, TournamentState
from web.page_cache import pages_forget

GOING_ON = (TournamentState.OPEN, TournamentState.LOCKED, TournamentState.RUNNING, TournamentState.PAUSED)


class DeletionRefused(ValueError):
    """The account cannot be deleted now."""


class HoldsForOthers(DeletionRefused):
    """The account owns the house bots, or it is the account to which the data of deleted accounts pass."""

    def __init__(self) -> None:
        super().__init__(
            _("This account owns the house bots, or the remains of deleted accounts, so it cannot be deleted.")
        )


class StillOrganises(DeletionRefused):
    """The user still runs a contest that others rely on."""

    def __init__(self, names: list[str]) -> None:
        super().__init__(_("You still run %(names)s: end or cancel it first.") % {"names": ", ".join(names)})


def account_delete(*, person: AbstractUser) -> None:
    """Delete an account with its tokens, requests and bots (``bots.deletion``), all or nothing.

    Groups pass to another owner or member of staff, or are closed. Teams lose a member or end. Sessions of the account
    become invalid. Drafts of contests are deleted. Other contests, rulings and log entries of the admin pass to the
    account of deleted users.

    Raises:
        HoldsForOthers: the account owns house bots, or is the account of deleted users.
        StillOrganises: a tournament or league of this user is going on.
    """
    with transaction.atomic():
        # These locks keep another request from opening a draft meanwhile. Services lock contests before people.
        for contests in (Tournament.objects.all(), League.objects.all()):
            list(contests.filter(organiser=person.pk).select_for_update().order_by("pk").values_list("pk"))
        User.objects.select_for_update().get(pk=person.pk)
        if person.pk == deleted_bots_account().pk or Bot.objects.filter(owner=person.pk, is_house=True).exists():
            raise HoldsForOthers
        tournaments = Tournament.objects.filter(organiser=person.pk)
        leagues = League.objects.filter(organiser=person.pk)
        going_on = [
            *tournaments.filter(state__in=GOING_ON).values_list("name", flat=True),
            *leagues.filter(state=LeagueState.OPEN).values_list("name", flat=True),
        ]
        if going_on:
            raise StillOrganises(going_on)
        drafts, sketches = tournaments.filter(state=TournamentState.DRAFT), leagues.filter(state=LeagueState.DRAFT)
        follows_delete(kind="tournament", targets=drafts.values("pk"))
        follows_delete(kind="league", targets=sketches.values("pk"))
        follows_delete(kind="person", targets=[person.pk])
        drafts.delete()
        sketches.delete()
        tournaments.update(organiser=deleted_bots_account())
        leagues.update(organiser=deleted_bots_account())
        TournamentSeries.objects.filter(organiser=person.pk).update(organiser=deleted_bots_account())
        Ruling.objects.filter(by=person.pk).update(by=deleted_bots_account())
        LogEntry.objects.filter(user=person.pk).update(user=deleted_bots_account())
        bots_delete(owner_id=person.pk)
        private_questions_delete(person_id=person.pk)
        teams_release(person=person)
        hand_in_sharing_marks_keep(account_id=person.pk)
        group_memberships_release(person=person)
        User.objects.get(pk=person.pk).delete()
        pages_forget()


def account_sessions_forget() -> None:
    """Delete expired sessions and access tokens, and entries of the audit log older than ``AUDIT_DAYS``."""
    now = timezone.now()
    Session.objects.filter(expire_date__lt=now).delete()
    AccessToken.objects.filter(expiry__lt=now).delete()
    LogEntry.objects.filter(action_time__lt=now - timedelta(days=settings.AUDIT_DAYS)).delete()
