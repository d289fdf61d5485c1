"""A person's notices and channels, and the recipients of events."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlsplit

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from hooks.kinds import TEST, Kind, hook_kinds_known
from hooks.messages import hook_event_sentence
from hooks.selectors import active_hooks
from notices.following import notices_may_be_shown
from notices.models import EVERY_KIND, EmailRate, Notice, NoticeChoice

UNREAD_MOST: Final = 99  # largest number that the badge shows


@dataclass(frozen=True, slots=True)
class Channels:
    """The channels on which a person gets a kind of event."""

    in_inbox: bool
    email: str
    push: bool = False  # on the person's devices

    @property
    def is_silent(self) -> bool:
        return not self.in_inbox and self.email == EmailRate.NEVER and not self.push


@dataclass(frozen=True, slots=True)
class NoticeLine:
    """A line of the inbox: a sentence, and the path of the page that the sentence is about, or "".

    ``count`` is the number of notices on this line, ``is_unread`` whether any of them is unread.
    """

    notice: Notice
    text: str
    path: str
    count: int = 1
    is_unread: bool = False


def notice_kinds() -> list[Kind]:
    """Return the kinds of events that become notices."""
    return [one for one in hook_kinds_known().values() if one.name != TEST]


def notice_channels_default_of(kind: Kind, *, no_emails: bool = False) -> Channels:
    """Return the default channels: the inbox, except for frequent kinds, and emails if the kind has them.

    With ``no_emails``, the person has turned off all emails.
    """
    return Channels(not kind.is_quiet, EmailRate.NEVER if no_emails else kind.email)


def notice_channels_of(person: Any) -> list[tuple[Kind, Channels]]:
    """Return each kind with the person's channels. One query."""
    chosen = {one.kind: _chosen(one) for one in NoticeChoice.objects.filter(person=person.pk)}
    no_emails = EVERY_KIND in chosen
    return [
        (kind, chosen.get(kind.name, notice_channels_default_of(kind, no_emails=no_emails))) for kind in notice_kinds()
    ]


def has_notice_readers(*kinds: str) -> bool:
    """Return whether anybody could receive events of these kinds. Call this first: without readers, events and
    recipients need not be collected.
    """
    if not all(hook_kinds_known()[kind].is_quiet for kind in kinds):
        return True
    choices = NoticeChoice.objects.filter(Q(in_inbox=True) | ~Q(email=EmailRate.NEVER) | Q(push=True), kind__in=kinds)
    return active_hooks().values("pk").union(choices.values("pk")).exists()


def notice_channels_by_person(kind: Kind, people: Collection[int]) -> dict[int, Channels]:
    """Return the channels for ``kind`` of those ``people`` who receive it. One query."""
    found = list(NoticeChoice.objects.filter(kind__in=[kind.name, EVERY_KIND], person__in=people))
    channels = dict.fromkeys(people, notice_channels_default_of(kind))
    channels |= {
        one.person_id: notice_channels_default_of(kind, no_emails=True) for one in found if one.kind == EVERY_KIND
    }
    channels |= {one.person_id: _chosen(one) for one in found if one.kind == kind.name}
    return {person: one for person, one in channels.items() if not one.is_silent}


def notices_of(person: Any) -> QuerySet[Notice]:
    """Return the person's inbox, the newest first."""
    return Notice.objects.filter(person=person.pk, in_inbox=True).order_by("-pk")


def with_unread_notices(people: QuerySet[Any]) -> QuerySet[Any]:
    """Annotate ``people`` with ``unread_notices``, the number of unread notices in the inbox.

    The number includes notices about objects that the person may no longer see.
    """
    unread = Notice.objects.filter(person=OuterRef("pk"), in_inbox=True, read_at=None).order_by()
    counted = unread.values("person").annotate(count=Count("pk")).values("count")
    annotated: QuerySet[Any] = people.annotate(unread_notices=Coalesce(Subquery(counted), 0))
    return annotated


def unread_notices_label(person: Any) -> str:
    """Return the text of the unread badge: "", "3" or "99+".

    It counts the newest unread notices that the person may see. ``person`` comes from ``with_unread_notices``, or is
    anonymous. If nothing is unread, this makes no query. Otherwise it makes one query, and one more for each kind of
    object in the notices.
    """
    if not (unread := getattr(person, "unread_notices", 0)):
        return ""
    newest = notices_of(person).filter(read_at=None).values_list("data", flat=True)[:UNREAD_MOST]
    count = sum(notices_may_be_shown(person, list(newest)))
    return f"{count}+" if count and unread > UNREAD_MOST else str(count or "")


def notices_readable(person: Any, notices: Collection[Notice]) -> list[Notice]:
    """Return the notices whose objects the person may still see."""
    shown = notices_may_be_shown(person, [one.data for one in notices])
    return [one for one, is_shown in zip(notices, shown, strict=True) if is_shown]


def notice_line_of(notice: Notice) -> NoticeLine:
    """Return the line of a notice in the current language. The path in the line is always a path of this site."""
    page = urlsplit(str(notice.data.get("page", "")))
    path = page.path if page.path.startswith("/") and not page.path.startswith("//") else ""
    return NoticeLine(notice, hook_event_sentence(notice.kind, notice.data), path, is_unread=notice.read_at is None)


def notice_lines_of(notices: Sequence[Notice]) -> list[NoticeLine]:
    """Return the lines of an inbox in the order of ``notices``, newest first.

    Notices of one kind about one page share a line, which has the text of the newest of them.
    """
    lines: dict[tuple[str, str], NoticeLine] = {}
    for line in map(notice_line_of, notices):
        about = (line.notice.kind, line.path or line.text)
        newest = lines.setdefault(about, replace(line, count=0))
        lines[about] = replace(newest, count=newest.count + 1, is_unread=newest.is_unread or line.is_unread)
    return list(lines.values())


def older_notices_of_kind(notice: Notice) -> Q:
    """Return the condition for ``notice`` and all older notices of the same kind about the same page."""
    same = Q(kind=notice.kind, data__page=notice.data["page"]) if notice.data.get("page") else Q(pk=notice.pk)
    return same & Q(pk__lte=notice.pk)


def _chosen(row: NoticeChoice) -> Channels:
    return Channels(row.in_inbox, row.email, row.push)
