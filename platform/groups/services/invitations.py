"""Ways in: make them, renew and revoke them. Their tokens are shown once, by the caller of these functions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID, uuid4

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone

from groups.errors import GroupClosed, NotYours, TooManyInvitations
from groups.models import Group, GroupInvitation, GroupRole, InvitationKind, RosterRow
from groups.selectors import invitations_open, may_own
from groups.services.groups import locked
from web.invitations import SLIP_LETTERS, code_token, digest_of, link_token

OPEN_MOST = 50  # links and codes that hold, of one group
SLIPS_MOST = 500  # at once
SLIPS_OPEN_MOST = 5_000
USES_MOST = 5_000
DAYS_MOST = 365


@dataclass(frozen=True, slots=True)
class MadeInvitation:
    """A new way in with its token, which is kept nowhere. ``row``: whose it is, if it is of somebody on the roster."""

    invitation: GroupInvitation
    token: str
    row: RosterRow | None = None


def invitation_create(
    *, group: Group, by: AbstractUser, kind: str, role: str = GroupRole.MEMBER, days: int, uses: int
) -> MadeInvitation:
    """Make a link or a code that lets in ``uses`` people within ``days``.

    Raises:
        NotYours: ``by`` is no owner, and would let in staff.
        GroupClosed, TooManyInvitations: see there.
    """
    if role != GroupRole.MEMBER and not may_own(by, group):
        raise NotYours
    with transaction.atomic():
        group = _joinable(group)
        kinds = (InvitationKind.LINK, InvitationKind.CODE)
        if invitations_open(group).filter(kind__in=kinds).count() >= OPEN_MOST:
            raise TooManyInvitations(OPEN_MOST)
        token = link_token() if kind == InvitationKind.LINK else code_token()
        fields = {"kind": kind, "role": role, "uses_most": uses, "uses_left": uses, "created_by_id": by.pk}
        made = GroupInvitation.objects.create(
            group=group, digest=digest_of(token), expires_at=timezone.now() + timedelta(days=days), **fields
        )
    return MadeInvitation(made, token)


def invitation_renew(*, group: Group, batch: UUID, by: AbstractUser) -> MadeInvitation:
    """Make another link or code in place of one that may have leaked, for as many people and as long as that was made
    for; the old one lets nobody in any more.

    Raises:
        GroupInvitation.DoesNotExist: there is none, or it was renewed or revoked already.
        NotYours, GroupClosed, TooManyInvitations: as ``invitation_create``.
    """
    with transaction.atomic():
        kinds = (InvitationKind.LINK, InvitationKind.CODE)
        old = GroupInvitation.objects.select_for_update().get(group=group, batch=batch, kind__in=kinds, revoked_at=None)
        invitation_revoke(group=group, batch=batch)
        days = max(1, (old.expires_at - old.created_at).days)
        return invitation_create(group=group, by=by, kind=old.kind, role=old.role, days=days, uses=old.uses_most)


def invitation_revoke(*, group: Group, batch: UUID) -> int:
    """Let nobody in any more by a link, a code, or slips that were printed together. Who is in stays. Return how many
    ended by it.
    """
    holding = GroupInvitation.objects.filter(group=group, batch=batch, revoked_at=None)
    return holding.update(revoked_at=timezone.now())


def slips_create(
    *, group: Group, by: AbstractUser, count: int, days: int, rows: Sequence[RosterRow] = ()
) -> list[MadeInvitation]:
    """Make slips that let in one person each: one for each of ``rows`` of the roster, and ``count`` for anybody. Older
    slips for those rows let nobody in any more.

    Raises:
        GroupClosed, TooManyInvitations: see there.
    """
    with transaction.atomic():
        group = _joinable(group)
        of_rows = GroupInvitation.objects.filter(group=group, kind=InvitationKind.SLIP, row__in=rows, revoked_at=None)
        of_rows.update(revoked_at=timezone.now())
        whose = [*rows, *[None] * count]
        if invitations_open(group).filter(kind=InvitationKind.SLIP).count() + len(whose) > SLIPS_OPEN_MOST:
            raise TooManyInvitations(SLIPS_OPEN_MOST)
        batch, until = uuid4(), timezone.now() + timedelta(days=days)
        tokens = [code_token(SLIP_LETTERS) for _ in whose]
        made = GroupInvitation.objects.bulk_create(
            GroupInvitation(
                group=group,
                kind=InvitationKind.SLIP,
                digest=digest_of(token),
                batch=batch,
                uses_most=1,
                uses_left=1,
                row=row,
                created_by_id=by.pk,
                expires_at=until,
            )
            for token, row in zip(tokens, whose, strict=True)
        )
    return [MadeInvitation(one, token, row) for one, token, row in zip(made, tokens, whose, strict=True)]


def _joinable(group: Group) -> Group:
    group = locked(group)
    if group.closed_at is not None:
        raise GroupClosed
    return group
