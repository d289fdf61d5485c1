"""Follows: whose news a person gets in addition to their own, and which notices may be shown.

Apps in higher rooms register what can be followed when they start (decision 10). For each kind, ``shown`` returns the
objects that their pages show. It decides who may follow an object, what a list of follows contains, and which notices a
reader sees.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from notices.models import Follow
from web.errors import Refusal

FOLLOWS_MOST: Final = 200  # follows of one person

Shown: TypeAlias = Callable[[Any], QuerySet[Any]]
Followers: TypeAlias = Callable[[Any], set[int]]


@dataclass(frozen=True, slots=True)
class FollowKind:
    """A kind of objects to follow. ``shown`` returns the objects that a reader with the address may see.

    Each has a ``slug`` and a ``name``. ``page`` is the URL name of an object's page.
    """

    name: str
    label: Any  # translated when it is rendered
    page: str
    shown: Shown


@dataclass(frozen=True, slots=True)
class Followed:
    """An object that a person follows or may follow, and may see."""

    kind: FollowKind
    pk: int
    slug: str
    name: str

    @property
    def page(self) -> str:
        """The path of the object's page."""
        return reverse(self.kind.page, args=[self.slug])


_KINDS: Final[dict[str, FollowKind]] = {}
_WITHIN: Final[dict[str, list[Followers]]] = defaultdict(list)


def followed_register(name: str, label: Any, page: str, shown: Shown) -> None:
    """Register a kind of objects to follow, such as "tournament"."""
    _KINDS[name] = FollowKind(name, label, page, shown)


def followers_within_register(name: str, followers: Followers) -> None:
    """Register a function that returns more followers of an object of kind ``name``: people who follow something that
    contains the object.
    """
    if followers not in _WITHIN[name]:
        _WITHIN[name].append(followers)


def follow_kinds() -> list[str]:
    """Return the names of the kinds that can be followed."""
    return sorted(_KINDS)


def followed_of(user: Any, kind: str, slug: str) -> Followed | None:
    """Return the object with this slug; None if ``user`` may not see it."""
    known = _KINDS.get(kind)
    found = known.shown(user).filter(slug=slug).first() if known else None
    return Followed(known, found.pk, found.slug, found.name) if known and found is not None else None


def follows_of(person: Any) -> QuerySet[Follow]:
    """Return what the person follows, the newest first."""
    return Follow.objects.filter(person=person.pk).order_by("-pk")


def is_following(person: Any, kind: str, pk: int) -> bool:
    """Return whether the person follows the object. One query."""
    return Follow.objects.filter(person=person.pk, kind=kind, target=pk).exists()


def followed_by(person: Any, follows: Iterable[Follow]) -> list[Followed]:
    """Return the followed objects, in the same order, that the person may see. One query for each kind."""
    wanted = defaultdict[str, set[int]](set)
    for one in (follows := list(follows)):
        wanted[one.kind].add(one.target)
    found = {
        (kind, one.pk): Followed(_KINDS[kind], one.pk, one.slug, one.name)
        for kind, numbers in wanted.items()
        if kind in _KINDS
        for one in _KINDS[kind].shown(person).filter(pk__in=numbers)
    }
    return [found[one.kind, one.target] for one in follows if (one.kind, one.target) in found]


def followers_of(kind: str, numbers: Collection[int]) -> dict[int, set[int]]:
    """Return the followers of each object with one of these primary keys, by this primary key. One query."""
    found: dict[int, set[int]] = {one: set() for one in numbers}
    rows = Follow.objects.filter(kind=kind, target__in=numbers) if numbers else Follow.objects.none()
    for target, person in rows.values_list("target", "person"):
        found[target].add(person)
    return found


def all_followers(kind: str, followed: Any) -> set[int]:
    """Return the followers of an object or of what contains it. The caller must check which of them may see it."""
    return followers_of(kind, [followed.pk])[followed.pk].union(*(within(followed) for within in _WITHIN[kind]))


def notices_may_be_shown(person: Any, notices: Collection[Mapping[str, Any]]) -> list[bool]:
    """Return, for the data of each notice, whether the person may see the objects that the notice is about. One query
    for each kind of object.
    """
    seen: dict[str, set[str]] = {}
    for name, kind in _KINDS.items():
        named = {str(data[name]) for data in notices if name in data}
        if named:
            seen[name] = set(kind.shown(person).filter(slug__in=named).values_list("slug", flat=True))
    return [all(data[name] in shown for name, shown in seen.items() if name in data) for data in notices]


def follow_create(*, person: Any, followed: Followed) -> None:
    """Let a person follow ``followed``. A repeated call changes nothing.

    Raises:
        TooManyFollows: the person follows ``FOLLOWS_MOST`` already.
    """
    with transaction.atomic():
        # With this lock, concurrent requests are counted one by one.
        get_user_model().objects.select_for_update(no_key=True).get(pk=person.pk)
        mine = Follow.objects.filter(person=person.pk)
        if mine.filter(kind=followed.kind.name, target=followed.pk).exists():
            return
        if mine.count() >= FOLLOWS_MOST:
            raise TooManyFollows(FOLLOWS_MOST)
        Follow.objects.create(person_id=person.pk, kind=followed.kind.name, target=followed.pk)


class TooManyFollows(Refusal):
    """The person has reached the limit of follows."""

    code = "limit"
    status = 409

    def __init__(self, most: int) -> None:
        super().__init__(_("You already follow %(most)d, which is the limit. Unfollow one first.") % {"most": most})


def follow_end(*, person: Any, followed: Followed) -> None:
    """Stop following. Do nothing if the person does not follow it."""
    Follow.objects.filter(person=person.pk, kind=followed.kind.name, target=followed.pk).delete()


def follows_delete(*, kind: str, targets: Iterable[int] | QuerySet[Any, Any], person_id: int | None = None) -> None:
    """Delete the follows of deleted objects. With ``person_id``, delete only the follows of this person, who may no
    longer see the objects.
    """
    follows = Follow.objects.filter(kind=kind, target__in=targets)
    (follows if person_id is None else follows.filter(person=person_id)).delete()
