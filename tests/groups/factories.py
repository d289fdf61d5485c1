"""Groups and who is in them, one line each."""

from typing import Any

import factory
from factory.django import DjangoModelFactory

from groups.models import Group, GroupMember, GroupRole
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
