"""Preview of a roster: what importing it would do with each line."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from allauth.account.models import EmailAddress
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from groups.models import Group, GroupMember, MemberAct, MemberChange, RosterRow
from groups.roster_csv import RosterFault, RosterLine
from web.errors import Refusal
from web.name_keys import name_check, name_key

FAULTS = {
    RosterFault.NOBODY: _("no name, email address or id"),
    RosterFault.ADDRESS: _("not an email address"),
    RosterFault.TOO_LONG: _("a cell is too long"),
    RosterFault.UNREADABLE: _("a cell has characters that cannot be seen"),
    RosterFault.COLUMNS: _("more columns than name, email or id, cohort, alias"),
    RosterFault.TWICE_EMAIL: _("the same email address as line %(line)s"),
    RosterFault.TWICE_ID: _("the same id as line %(line)s"),
    RosterFault.TWICE_ALIAS: _("the same alias as line %(line)s"),
}


class RosterOutcome(models.TextChoices):
    JOINS = "joins", _("joins now and is notified by email")
    INVITED = "invited", _("is invited by email")
    ASKED = "asked", _("has an account, is asked by email and joins by accepting")
    MEMBER = "member", _("is a member already: details are updated")
    SLIP = "slip", _("is put on the roster and needs a printed code")
    BROKEN = "broken", _("is left out")


@dataclass(frozen=True, slots=True)
class RosterStep:
    """A line and what would happen to it. ``why`` is the reason for leaving it out."""

    line: RosterLine
    outcome: RosterOutcome
    why: str = ""
    person: Any = None
    member: GroupMember | None = None
    row: RosterRow | None = None


@dataclass(frozen=True, slots=True)
class RosterPlan:
    """All steps of a roster. ``digest`` is a digest of the steps: it changes if importing the same lines would have
    another result.
    """

    steps: Sequence[RosterStep]
    digest: str

    @property
    def counts(self) -> list[tuple[str, int]]:
        """The number of lines for each outcome, with the label of the outcome."""
        counted = Counter(step.outcome for step in self.steps)
        return [(str(one.label), counted[one]) for one in RosterOutcome if counted[one]]

    @property
    def does_something(self) -> bool:
        return any(step.outcome != RosterOutcome.BROKEN for step in self.steps)


class _Known:
    """The people that the site and the group already know, read at once for all lines."""

    def __init__(self, group: Group, lines: Sequence[RosterLine]) -> None:
        emails = {name_key(line.email) for line in lines if line.email}
        confirmed = EmailAddress.objects.filter(email__in=emails, verified=True, user__is_active=True)
        self.people: dict[str, Any] = {name_key(one.email): one.user for one in confirmed.select_related("user")}
        self.members = list(GroupMember.objects.filter(group=group))
        self.member_of = {member.person_id: member for member in self.members}
        self.member_by_id = {member.roster_id: member for member in self.members if member.roster_id}
        self.rows = list(RosterRow.objects.filter(group=group))
        self.row_by_email = {row.email_key: row for row in self.rows if row.email_key}
        self.row_by_id = {row.roster_id: row for row in self.rows if row.roster_id}
        left = MemberChange.objects.filter(
            group=group, act=MemberAct.LEFT, person__in=[p.pk for p in self.people.values()]
        )
        self.left = set(left.values_list("person", flat=True))
        waiting = {name_key(row.alias): ("RosterRow", row.pk) for row in self.rows if row.alias}
        self.aliases = waiting | {name_key(one.alias): ("GroupMember", one.pk) for one in self.members if one.alias}


def group_roster_plan(group: Group, lines: Sequence[RosterLine]) -> RosterPlan:
    """Return what would happen to each line.

    A person whose address is the confirmed address of an account joins immediately. Staff of the site, and people who
    have left the group before, are invited instead.
    """
    known = _Known(group, lines)
    steps = list(_each_once(_step(line, known) for line in lines))
    text = "\n".join(
        repr((step.line, step.outcome.value, step.person and step.person.pk, step.row and step.row.pk))
        for step in steps
    )
    return RosterPlan(steps, sha256(text.encode("utf-8", "replace")).hexdigest())


def _each_once(steps: Iterable[RosterStep]) -> Iterator[RosterStep]:
    """Yield the steps. A line for a person of an earlier line is left out."""
    seen: dict[tuple[str, int], int] = {}
    for step in steps:
        subjects = {"person": step.person, "member": step.member, "row": step.row}
        keys = [(kind, one.pk) for kind, one in subjects.items() if one is not None]
        first = next((seen[key] for key in keys if key in seen), None)
        if first is not None and step.outcome != RosterOutcome.BROKEN:
            yield RosterStep(
                step.line, RosterOutcome.BROKEN, gettext("the same person as line %(line)s") % {"line": first}
            )
            continue
        if step.outcome != RosterOutcome.BROKEN:
            seen |= dict.fromkeys(keys, step.line.line)
        yield step


def _step(line: RosterLine, known: _Known) -> RosterStep:
    if line.fault is not None:
        return RosterStep(line, RosterOutcome.BROKEN, str(FAULTS[line.fault]) % {"line": line.of_line})
    email = name_key(line.email)
    person = known.people.get(email) if email else None
    member = known.member_of.get(person.pk) if person else known.member_by_id.get(line.roster_id)
    row = known.row_by_email.get(email) if email else None
    row = row or known.row_by_id.get(line.roster_id)
    if why := _conflict(line, member, row, known):
        return RosterStep(line, RosterOutcome.BROKEN, why)
    if member is not None:
        return RosterStep(line, RosterOutcome.MEMBER, person=person, member=member)
    if person is not None:
        is_invited = person.is_staff or person.pk in known.left
        return RosterStep(line, RosterOutcome.ASKED if is_invited else RosterOutcome.JOINS, person=person, row=row)
    return RosterStep(line, RosterOutcome.INVITED if email or (row and row.email) else RosterOutcome.SLIP, row=row)


def _conflict(line: RosterLine, member: GroupMember | None, row: RosterRow | None, known: _Known) -> str:
    """Return a message if another person already has a value in the line, e.g. the alias; "" if there is no
    conflict.
    """
    holder = known.member_by_id.get(line.roster_id) if line.roster_id else None
    if holder is not None and (member is None or holder.pk != member.pk):
        return gettext("another member has this id")
    of_id = known.row_by_id.get(line.roster_id) if line.roster_id else None
    if of_id is not None and (row is None or of_id.pk != row.pk):
        return gettext("somebody else on the roster has this id")
    if row is not None and line.email and row.email and row.email_key != name_key(line.email):
        return gettext("on the roster this id has another email address")
    if not line.alias:
        return ""
    has = known.aliases.get(name_key(line.alias))
    own = {("GroupMember", member.pk)} if member else {("RosterRow", row.pk)} if row else set()
    if has is not None and has not in own:
        return gettext("somebody else has this alias")
    if has is None:
        try:
            name_check(line.alias)
        except Refusal as error:
            return str(error)
    return ""
