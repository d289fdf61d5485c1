"""Hand-ins: which bots a student may hand in, until when, under which account, and which version is marked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from assignments.models import DAY, Assignment, DueExtension, HandIn, HandInPerson
from bots.models import Bot, BotVersion, VersionState
from bots.selectors import bots_of, bots_of_user_and_teams
from groups.models import Group
from teams.selectors import acts_for_owner
from web.database import database_now


def hand_in_accounts_of(assignment: Assignment) -> dict[int, int]:
    """Return, by person, the account that holds the person's hand-in. A person who is missing would hand in under their
    own account.
    """
    return dict(HandInPerson.objects.filter(assignment=assignment).values_list("person", "account"))


def hand_in_account_of(assignment: Assignment, person_id: int) -> int:
    """Return the account that holds the person's hand-in: the account of their team if it has handed in, otherwise
    their own.
    """
    found = HandInPerson.objects.filter(assignment=assignment, person=person_id).values_list("account", flat=True)
    return found.first() or person_id


def hand_in_people_under(assignment: Assignment, accounts: set[int]) -> set[int]:
    """Return the people who share the hand-ins of these accounts."""
    shared: dict[int, set[int]] = {}
    for person, account in hand_in_accounts_of(assignment).items():
        shared.setdefault(account, set()).add(person)
    return set().union(*(shared.get(account, {account}) for account in accounts))


WAITING = (VersionState.QUEUED, VersionState.CHECKING)


@dataclass(frozen=True, slots=True)
class Deadline:
    """A student's due time. Uploads until ``on_time_until`` are on time. After that, uploads until ``ends_at`` are
    late.
    """

    due_at: datetime
    on_time_until: datetime
    late_days: int
    is_extended: bool

    @property
    def ends_at(self) -> datetime:
        return self.cut(self.late_days)

    def cut(self, days: int) -> datetime:
        """Return the end of late day number ``days``; 0 is the end of the time that counts as on time."""
        return self.on_time_until + days * DAY


@dataclass(frozen=True, slots=True)
class DueVersion:
    """What to mark of a hand-in now: a ``version`` that is ``days_late`` days late. ``waits`` tells that this is not
    known yet, because an upload is still being checked.
    """

    version: BotVersion | None = None
    days_late: int = 0
    waits: bool = False


def assignment_time_now() -> datetime:
    """Return the database's time, because clocks of web servers and workers may differ. It is read with a query of the
    groups. If there is no group, return this process's time.
    """
    return Group.objects.order_by().values_list(database_now(), flat=True).first() or timezone.now()


def assignment_deadline_of(assignment: Assignment, extension: DueExtension | None = None) -> Deadline:
    """Return a student's due time with this extension. It is never before the due time of everybody."""
    due = assignment.due_at if extension is None else max(assignment.due_at, extension.due_at)
    grace = timedelta(minutes=assignment.grace_minutes)
    return Deadline(due, due + grace, assignment.late_days, due > assignment.due_at)


def due_extensions_of(assignment: Assignment) -> dict[int, DueExtension]:
    """Return the valid extension of each account that has one. A person's is the last one that they got. A team's is
    the longest of its members' valid extensions.
    """
    found = {one.student_id: one for one in DueExtension.objects.filter(assignment=assignment).order_by("pk")}
    accounts = hand_in_accounts_of(assignment) if found else {}
    for person, one in list(found.items()):
        account = accounts.get(person, person)
        found[account] = max(found.get(account, one), one, key=lambda extension: extension.due_at)
    return found


def due_extension_of(assignment: Assignment, account_id: int) -> DueExtension | None:
    """Return the valid extension of a student or team, or None."""
    return due_extensions_of(assignment).get(account_id)


def last_assignment_deadline(assignment: Assignment) -> datetime:
    """Return the time until which the last student may hand in."""
    own = [assignment_deadline_of(assignment, one).ends_at for one in due_extensions_of(assignment).values()]
    return max([assignment_deadline_of(assignment).ends_at, *own])


def hand_in_due_version(
    hand_in: HandIn, deadline: Deadline, now: datetime, versions: Sequence[BotVersion] | None = None
) -> DueVersion:
    """Return what to mark at the time ``now``. This is the newest accepted version that was uploaded on time. If there
    is none, it is the newest that was uploaded by the end of the first late day that has one. Uploads that are still
    being checked must be waited for. ``versions`` are the versions of the bot, newest first, if the caller has read
    them.
    """
    if now < deadline.on_time_until:
        return DueVersion()
    versions = hand_in_versions_by_number(hand_in) if versions is None else versions
    for days in range(deadline.late_days + 1):
        cut = deadline.cut(days)
        if now < cut:
            break
        if hand_in.handed_in_at > cut:
            continue
        uploaded = [one for one in versions if one.created_at <= cut]
        if any(one.state in WAITING for one in uploaded):
            return DueVersion(waits=True)
        if accepted := hand_in_newest_accepted(uploaded):
            return DueVersion(accepted, days)
    return DueVersion()


def hand_in_versions_by_number(hand_in: HandIn) -> list[BotVersion]:
    """Return the versions of the bot, newest first."""
    return hand_in_versions_by_bot([hand_in])[hand_in.bot_id]


def hand_in_versions_by_bot(hand_ins: Iterable[HandIn]) -> dict[int, list[BotVersion]]:
    """Return the versions of each hand-in's bot, newest first, by the bot's primary key. One query."""
    found: dict[int, list[BotVersion]] = {one.bot_id: [] for one in hand_ins}
    for version in BotVersion.objects.filter(bot__in=found).defer("report").order_by("-number"):
        found[version.bot_id].append(version)
    return found


def hand_in_newest_accepted(versions: Sequence[BotVersion]) -> BotVersion | None:
    """Return the first accepted of ``versions``, which are sorted newest first."""
    return next((one for one in versions if one.state == VersionState.ACCEPTED), None)


def is_own_hand_in_bot(person: Any, bot: Bot) -> bool:
    """Return whether ``bot`` is the person's own. Only then may the person hand it in alone, or use a version of it as
    a reference.
    """
    return not bot.is_house and bot.deleted_at is None and bot.owner_id == person.pk


def may_hand_in(person: Any, bot: Bot, assignment: Assignment) -> bool:
    """Return whether ``person`` may hand in ``bot``. They may if it is their own, or if it belongs to one of their
    teams and teams may hand in.
    """
    if assignment.team_size == 1:
        return is_own_hand_in_bot(person, bot)
    return not bot.is_house and bot.deleted_at is None and acts_for_owner(person, bot.owner_id)


def bots_to_hand_in(person: Any, assignment: Assignment) -> QuerySet[Bot]:
    """Return the bots that ``person`` may hand in; see ``may_hand_in``."""
    bots = bots_of_user_and_teams(person) if assignment.team_size > 1 else bots_of(person)
    return bots.filter(game=assignment.game, is_house=False, deleted_at=None)
