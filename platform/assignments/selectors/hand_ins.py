"""Until when a student may hand in, under which account, and which version counts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from assignments.models import DAY, Assignment, DueExtension, HandIn, HandInPerson
from bots.models import BotVersion, VersionState
from groups.models import Group
from web.database import database_now


def hand_in_accounts_of(assignment: Assignment) -> dict[int, int]:
    """Return the account of each person of whom something was handed in. Of others it is their own."""
    return dict(HandInPerson.objects.filter(assignment=assignment).values_list("person", "account"))


def hand_in_account_of(assignment: Assignment, person_id: int) -> int:
    """Return the account under which a person hands in, or has: their own unless their team did."""
    found = HandInPerson.objects.filter(assignment=assignment, person=person_id).values_list("account", flat=True)
    return found.first() or person_id


def hand_in_people_under(assignment: Assignment, accounts: set[int]) -> set[int]:
    """Return the people who share in what these accounts have handed in."""
    shared: dict[int, set[int]] = {}
    for person, account in hand_in_accounts_of(assignment).items():
        shared.setdefault(account, set()).add(person)
    return set().union(*(shared.get(account, {account}) for account in accounts))


WAITING = (VersionState.QUEUED, VersionState.CHECKING)


@dataclass(frozen=True, slots=True)
class Deadline:
    """A student's due time. What is uploaded until ``on_time_until`` is on time, until ``ends_at`` it is late."""

    due_at: datetime
    on_time_until: datetime
    late_days: int
    is_extended: bool

    @property
    def ends_at(self) -> datetime:
        return self.cut(self.late_days)

    def cut(self, days: int) -> datetime:
        """Return when the ``days``-th late day ends."""
        return self.on_time_until + days * DAY


@dataclass(frozen=True, slots=True)
class DueVersion:
    """What is due of a hand-in now: a ``version`` to mark, so many days late; or ``waits`` for an upload's check."""

    version: BotVersion | None = None
    days_late: int = 0
    waits: bool = False


def assignment_time_now() -> datetime:
    """Return the database's time: due times do not depend on the clocks of web servers and workers. Without any group
    there is nothing to ask of it, and the process's clock answers."""
    return Group.objects.order_by().values_list(database_now(), flat=True).first() or timezone.now()


def assignment_deadline_of(assignment: Assignment, extension: DueExtension | None = None) -> Deadline:
    """Return the due time of a student with this extension; it never ends before everybody's."""
    due = assignment.due_at if extension is None else max(assignment.due_at, extension.due_at)
    grace = timedelta(minutes=assignment.grace_minutes)
    return Deadline(due, due + grace, assignment.late_days, due > assignment.due_at)


def due_extensions_of(assignment: Assignment) -> dict[int, DueExtension]:
    """Return the extension that counts of each account that has one, by its key: of a person the last, of a team the
    longest of its members'."""
    found = {one.student_id: one for one in DueExtension.objects.filter(assignment=assignment).order_by("pk")}
    accounts = hand_in_accounts_of(assignment) if found else {}
    for person, one in list(found.items()):
        account = accounts.get(person, person)
        found[account] = max(found.get(account, one), one, key=lambda extension: extension.due_at)
    return found


def due_extension_of(assignment: Assignment, account_id: int) -> DueExtension | None:
    """Return the extension that counts of a student or team."""
    return due_extensions_of(assignment).get(account_id)


def last_assignment_deadline(assignment: Assignment) -> datetime:
    """Return when the last student may have handed in."""
    own = [assignment_deadline_of(assignment, one).ends_at for one in due_extensions_of(assignment).values()]
    return max([assignment_deadline_of(assignment).ends_at, *own])


def hand_in_due_version(
    hand_in: HandIn, deadline: Deadline, now: datetime, versions: Sequence[BotVersion] | None = None
) -> DueVersion:
    """Return what is due at ``now``: the newest accepted version that was uploaded on time, or else by the end of the
    first late day that has one. Uploads that are still being checked are waited for. ``versions``: those of its bot,
    newest first, if they were read for many hand-ins at once."""
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
    """Return the versions of each hand-in's bot, newest first, by the bot's key. One query."""
    found: dict[int, list[BotVersion]] = {one.bot_id: [] for one in hand_ins}
    for version in BotVersion.objects.filter(bot__in=found).defer("report").order_by("-number"):
        found[version.bot_id].append(version)
    return found


def hand_in_newest_accepted(versions: Sequence[BotVersion]) -> BotVersion | None:
    """Return the first accepted one of ``versions``, which are newest first."""
    return next((one for one in versions if one.state == VersionState.ACCEPTED), None)
