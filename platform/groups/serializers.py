"""Serializers of groups, members, invitations and rosters."""

from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from groups.models import (
    ALIAS_MOST,
    COHORT_MOST,
    NAME_MOST,
    ROSTER_ID_MOST,
    Group,
    GroupKind,
    GroupMember,
    GroupRole,
    InvitationKind,
    RosterRow,
)
from groups.roster_csv import TEXT_MOST
from groups.roster_plan import RosterOutcome
from groups.services.invitations import DAYS_MOST, SLIPS_MOST, USES_MOST
from web.api_examples import TIME, api_example_shown, serializer_example
from web.serializers import serializer_address

SITE: Final = "https://peck.example.org"
OFFERED_KINDS: Final = [(one.value, one.value) for one in (InvitationKind.LINK, InvitationKind.CODE)]
OFFERED_ROLES: Final = [(one.value, one.value) for one in (GroupRole.MEMBER, GroupRole.STAFF)]


@serializer_example(name="Class 10b", kind="class", is_listed=False, uses_aliases=True)
@api_example_shown(slug="class-10b", role="owner", is_closed=False, created_at=TIME, page=f"{SITE}/groups/class-10b/")
class GroupSerializer(serializers.ModelSerializer[Group]):
    """A group of mine, or a listed one."""

    name = serializers.CharField(max_length=NAME_MOST)
    kind = serializers.ChoiceField(choices=GroupKind.choices, required=False)
    role = serializers.SerializerMethodField(help_text="My role: owner, staff or member; null if I am not a member.")
    is_closed = serializers.SerializerMethodField(
        help_text="Whether it has no owner any more, so that nobody can join."
    )
    page = serializers.SerializerMethodField(help_text="Its page.")

    class Meta:
        model = Group
        fields = ("slug", "name", "kind", "is_listed", "uses_aliases", "role", "is_closed", "created_at", "page")
        read_only_fields = ("slug", "created_at")

    @extend_schema_field(serializers.ChoiceField(choices=GroupRole.choices, allow_null=True))
    def get_role(self, group: Group) -> str | None:
        roles: dict[int, str] = self.context.get("roles", {})
        return roles.get(group.pk)

    def get_is_closed(self, group: Group) -> bool:
        return group.closed_at is not None

    def get_page(self, group: Group) -> str:
        return serializer_address(self, "groups:detail", group.slug)


@serializer_example(role="staff", alias="Wren", roster_id="17", cohort="10b")
@api_example_shown(name="Wren", username="ada", roster_name="Ada Lovelace", joined_at=TIME)
class GroupMemberSerializer(serializers.ModelSerializer[GroupMember]):
    """A member of a group. Values that members may not see of each other are null; owners and staff see everything."""

    name = serializers.SerializerMethodField(help_text="The alias if the group uses aliases, otherwise the user name.")
    username = serializers.SerializerMethodField(help_text="Null if an alias hides it.")
    role = serializers.ChoiceField(choices=GroupRole.choices, required=False, help_text="Only owners may change it.")
    alias = serializers.CharField(max_length=ALIAS_MOST, required=False, allow_blank=True)
    roster_id = serializers.CharField(max_length=ROSTER_ID_MOST, required=False, allow_blank=True, allow_null=True)
    cohort = serializers.CharField(max_length=COHORT_MOST, required=False, allow_blank=True, allow_null=True)
    roster_name = serializers.CharField(source="name", read_only=True, allow_null=True)
    joined_at = serializers.DateTimeField(read_only=True, allow_null=True)

    class Meta:
        model = GroupMember
        fields = ("name", "username", "role", "alias", "roster_id", "cohort", "roster_name", "joined_at")

    def _hides(self, member: GroupMember) -> bool:
        group: Group = self.context["group"]
        return group.uses_aliases and not member.manages

    def get_name(self, member: GroupMember) -> str:
        return member.alias if self._hides(member) else member.person.get_username()

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_username(self, member: GroupMember) -> str | None:
        return None if self._hides(member) and not self.context["manages"] else member.person.get_username()

    def to_representation(self, instance: GroupMember) -> dict[str, Any]:
        """Remove the values that other members may not see."""
        data = super().to_representation(instance)
        if not self.context["manages"]:
            hidden = ("roster_id", "cohort", "roster_name", "joined_at")
            data |= dict.fromkeys(hidden)
            data["alias"] = instance.alias if self.context["group"].uses_aliases else ""
        return data


@api_example_shown(id=3, roster_id="17", name="Ada Lovelace", email="ada@example.net", cohort="10b", alias="Wren")
class RosterRowSerializer(serializers.ModelSerializer[RosterRow]):
    """A person on the roster who has not joined."""

    class Meta:
        model = RosterRow
        fields = ("id", "roster_id", "name", "email", "cohort", "alias", "written_at")
        read_only_fields = fields


@serializer_example(text="name,email,cohort\nAda Lovelace,ada@example.net,10b\n")
class RosterTextSerializer(serializers.Serializer[Any]):
    """Lines of a spreadsheet: name, email address or id, cohort, alias; or with a first line that names the
    columns."""

    text = serializers.CharField(max_length=TEXT_MOST, trim_whitespace=False)


@serializer_example(text="name,email,cohort\nAda Lovelace,ada@example.net,10b\n", known="0f" * 32)
class RosterApplySerializer(RosterTextSerializer):
    """The lines of a roster with the digest of their preview."""

    known = serializers.CharField(max_length=64, help_text="`digest` of the preview.")


@api_example_shown(
    line=2,
    roster_id="",
    name="Ada Lovelace",
    email="ada@example.net",
    cohort="10b",
    alias="",
    outcome="invited",
    why="",
)
class RosterStepSerializer(serializers.Serializer[Any]):
    """A line of a roster and what happens to it."""

    line = serializers.IntegerField(source="line.line")
    roster_id = serializers.CharField(source="line.roster_id")
    name = serializers.CharField(source="line.name")
    email = serializers.CharField(source="line.email")
    cohort = serializers.CharField(source="line.cohort")
    alias = serializers.CharField(source="line.alias")
    outcome = serializers.ChoiceField(choices=RosterOutcome.choices)
    why = serializers.CharField(help_text="The reason why the line is left out, or empty.")


@api_example_shown(digest="0f" * 32)
class RosterPlanSerializer(serializers.Serializer[Any]):
    """The outcome of each line, and the digest with which to apply exactly this preview."""

    digest = serializers.CharField()
    steps = RosterStepSerializer(many=True)


@api_example_shown(
    batch="0b8f0d0e-6f0c-4c59-9f0a-2f3c5a1f7a10", kind="code", role="member", most=30, left=12, is_renewable=True
)
class WayInSerializer(serializers.Serializer[Any]):
    """A valid link or code, or slips that were printed together, without tokens."""

    batch = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=InvitationKind.choices)
    role = serializers.ChoiceField(choices=GroupRole.choices)
    most = serializers.IntegerField(help_text="The number of people for whom it was created.")
    left = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    is_renewable = serializers.BooleanField()


@serializer_example(kind="code", role="member", uses=30, days=7)
class InvitingSerializer(serializers.Serializer[Any]):
    """A new link or code."""

    kind = serializers.ChoiceField(choices=OFFERED_KINDS)
    role = serializers.ChoiceField(choices=OFFERED_ROLES, default="member")
    uses = serializers.IntegerField(min_value=1, max_value=USES_MOST, default=40)
    days = serializers.IntegerField(min_value=1, max_value=DAYS_MOST, default=7)


@serializer_example(count=10, days=30, for_roster=True)
class SlipsSerializer(serializers.Serializer[Any]):
    """New slips."""

    count = serializers.IntegerField(min_value=0, max_value=SLIPS_MOST, default=0)
    days = serializers.IntegerField(min_value=1, max_value=DAYS_MOST, default=30)
    for_roster = serializers.BooleanField(
        default=False, help_text="Add a slip for each person on the roster without an email address."
    )


@api_example_shown(
    batch="0b8f0d0e-6f0c-4c59-9f0a-2f3c5a1f7a10",
    kind="code",
    token="K7QF-2MXR",  # noqa: S106  of nobody
    link=f"{SITE}/join/K7QF-2MXR/",
    roster_id="",
    name="",
)
class MadeInvitationSerializer(serializers.Serializer[Any]):
    """A new invitation with its token, which is shown only this once."""

    batch = serializers.UUIDField(source="invitation.batch")
    kind = serializers.ChoiceField(source="invitation.kind", choices=InvitationKind.choices)
    expires_at = serializers.DateTimeField(source="invitation.expires_at")
    token = serializers.CharField()
    link = serializers.SerializerMethodField()
    roster_id = serializers.SerializerMethodField(help_text="The person on the roster for whom the slip is.")
    name = serializers.SerializerMethodField()

    def get_link(self, made: Any) -> str:
        return serializer_address(self, "groups:follow", made.token)

    def get_roster_id(self, made: Any) -> str:
        return made.row.roster_id if made.row else ""

    def get_name(self, made: Any) -> str:
        return made.row.name if made.row else ""


class MadeSlipsSerializer(serializers.Serializer[Any]):
    """New slips with their tokens, which are shown only this once."""

    slips = MadeInvitationSerializer(many=True)


@serializer_example(code="K7QF-2MXR")
class JoinSerializer(serializers.Serializer[Any]):
    """A code, or the token at the end of a link."""

    code = serializers.CharField(max_length=300)
