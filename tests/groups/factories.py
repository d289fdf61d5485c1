"""Groups and who is in them, one line each."""

from typing import Any

import factory
from django.utils import timezone
from factory.django import DjangoModelFactory

from groups.models import Group, GroupMember, GroupRole, RosterRow
from groups.services import group_invitation_create
from tests.arena.factories import OrganiserFactory, UserFactory


class GroupFactory(DjangoModelFactory[Group]):
    """A class of which an organiser is the owner."""

    class Meta:
        model = Group
        skip_postgeneration_save = True

    name = factory.Sequence(lambda n: f"Class {n}")
    slug = factory.Sequence(lambda n: f"class-{n}")
    created_by = factory.SubFactory(OrganiserFactory)

    @factory.post_generation
    def owner(self, create: bool, extracted: Any, **_: Any) -> None:
        if create:
            GroupMember.objects.create(group=self, person=extracted or self.created_by, role=GroupRole.OWNER)  # type: ignore[misc]


def member_in(group: Group, person: Any = None, role: str = GroupRole.MEMBER, **fields: Any) -> GroupMember:
    """Somebody in the group."""
    return GroupMember.objects.create(group=group, person=person or UserFactory(), role=role, **fields)


def whole_group(owner: Any, *members: Any, **fields: Any) -> dict[str, Any]:
    """A group with a member for each, somebody on the roster and a code: what its addresses need, by name."""
    group = GroupFactory.create(created_by=owner, **fields)
    for member in members:
        member_in(group, member)
    row = RosterRow.objects.create(
        group=group, name="ON-THE-ROSTER", email="row@example.net", written_at=timezone.now()
    )
    made = group_invitation_create(group=group, by=owner, kind="code", days=7, uses=30)
    return {"slug": group.slug, "row_id": row.pk, "batch": made.invitation.batch}
