"""Services for invitations: create, renew and revoke them. Callers show their tokens once; they are not stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID, uuid4

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone

from groups.errors import GroupClosed, NotYours, TooManyInvitations
from groups.models import Group, GroupInvitation, GroupRole, InvitationKind, RosterRow
from groups.selectors import group_invitations_open, may_own_group
from groups.services.groups import group_locked
from web.invitations import SLIP_LETTERS, invitation_code_token, invitation_link_token, invitation_token_digest

OPEN_MOST = 50  # valid links and codes of one group
SLIPS_MOST = 500  # slips in one request
SLIPS_OPEN_MOST = 5_000
USES_MOST = 5_000
DAYS_MOST = 365


@dataclass(frozen=True, slots=True)
class MadeInvitation:
    """A new invitation with its token, which is not stored.

    ``row`` is the row of the roster for which it was made, if any.
    """

    invitation: GroupInvitation
    token: str
    row: RosterRow | None = None


def group_invitation_create(
    *, group: Group, by: AbstractUser, kind: str, role: str = GroupRole.MEMBER, days: int, uses: int
) -> MadeInvitation:
    """Create a link or a code for ``uses`` people, valid for ``days``.

    Raises:
        NotYours: only owners may invite staff.
        GroupClosed, TooManyInvitations: see there.
    """
    if role != GroupRole.MEMBER and not may_own_group(by, group):
        raise NotYours
    with transaction.atomic():
        group = _joinable(group)
        kinds = (InvitationKind.LINK, InvitationKind.CODE)
        if group_invitations_open(group).filter(kind__in=kinds).count() >= OPEN_MOST:
            raise TooManyInvitations(OPEN_MOST)
        token = invitation_link_token() if kind == InvitationKind.LINK else invitation_code_token()
        fields = {"kind": kind, "role": role, "uses_most": uses, "uses_left": uses, "created_by_id": by.pk}
        made = GroupInvitation.objects.create(
            group=group,
            digest=invitation_token_digest(token),
            expires_at=timezone.now() + timedelta(days=days),
            **fields,
        )
    return MadeInvitation(made, token)


def group_invitation_renew(*, group: Group, batch: UUID, by: AbstractUser) -> MadeInvitation:
    """Replace a link or code that may have leaked. The new one has the original number of uses and days.

    The old one is revoked.

    Raises:
        GroupInvitation.DoesNotExist: it does not exist, or was renewed or revoked already.
        NotYours, GroupClosed, TooManyInvitations: as ``group_invitation_create``.
    """
    with transaction.atomic():
        kinds = (InvitationKind.LINK, InvitationKind.CODE)
        old = GroupInvitation.objects.select_for_update().get(group=group, batch=batch, kind__in=kinds, revoked_at=None)
        group_invitation_revoke(group=group, batch=batch)
        days = max(1, (old.expires_at - old.created_at).days)
        return group_invitation_create(group=group, by=by, kind=old.kind, role=old.role, days=days, uses=old.uses_most)


def group_invitation_revoke(*, group: Group, batch: UUID) -> int:
    """Revoke a link, a code, or slips that were printed together. Members stay. Return how many were revoked."""
    holding = GroupInvitation.objects.filter(group=group, batch=batch, revoked_at=None)
    return holding.update(revoked_at=timezone.now())


def group_invitation_slips_create(
    *, group: Group, by: AbstractUser, count: int, days: int, rows: Sequence[RosterRow] = ()
) -> list[MadeInvitation]:
    """Create slips for one person each: one for each of ``rows`` of the roster, and ``count`` slips that anybody may
    use.

    Older slips for these rows are revoked.

    Raises:
        GroupClosed, TooManyInvitations: see there.
    """
    with transaction.atomic():
        group = _joinable(group)
        of_rows = GroupInvitation.objects.filter(group=group, kind=InvitationKind.SLIP, row__in=rows, revoked_at=None)
        of_rows.update(revoked_at=timezone.now())
        whose = [*rows, *[None] * count]
        if group_invitations_open(group).filter(kind=InvitationKind.SLIP).count() + len(whose) > SLIPS_OPEN_MOST:
            raise TooManyInvitations(SLIPS_OPEN_MOST)
        batch, until = uuid4(), timezone.now() + timedelta(days=days)
        tokens = [invitation_code_token(SLIP_LETTERS) for _ in whose]
        made = GroupInvitation.objects.bulk_create(
            GroupInvitation(
                group=group,
                kind=InvitationKind.SLIP,
                digest=invitation_token_digest(token),
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
    group = group_locked(group)
    if group.closed_at is not None:
        raise GroupClosed
    return group
