"""Teams as the API shows and takes them."""

from typing import Any, Final

from rest_framework import serializers

from teams.models import NAME_MOST, Team, TeamInvitation, TeamMember
from teams.services.links import DAYS_MOST, USES_MOST
from web.api_examples import SITE, TIME, example_shown
from web.serializers import address, example

LINK: Final = f"{SITE}/teams/join/cCg7BLkq/"


@example_shown(username="ada", is_captain=True, joined_at=TIME)
class TeamMemberSerializer(serializers.ModelSerializer[TeamMember]):
    """Somebody in a team."""

    username = serializers.CharField(source="person.username", read_only=True)

    class Meta:
        model = TeamMember
        fields = ("username", "is_captain", "joined_at")
        read_only_fields = fields


@example(name="The Hens")
@example_shown(slug="the-hens", created_at=TIME, page=f"{SITE}/teams/the-hens/")
class TeamSerializer(serializers.ModelSerializer[Team]):
    """A team; its name stands as the `author` of its bots."""

    name = serializers.CharField(max_length=NAME_MOST)
    members = TeamMemberSerializer(many=True, read_only=True, help_text="The captain first.")
    page = serializers.SerializerMethodField(help_text="The same for people.")

    class Meta:
        model = Team
        fields = ("slug", "name", "members", "created_at", "page")
        read_only_fields = ("slug", "created_at")

    def get_page(self, team: Team) -> str:
        return address(self, "teams:detail", team.slug)


@example(uses=3, days=7)
class TeamLinkMakingSerializer(serializers.Serializer[Any]):
    """A link to be made."""

    uses = serializers.IntegerField(min_value=1, max_value=USES_MOST, default=3)
    days = serializers.IntegerField(min_value=1, max_value=DAYS_MOST, default=7)


@example_shown(id=1, uses=3, uses_left=3, expires_at=TIME)
class TeamLinkSerializer(serializers.ModelSerializer[TeamInvitation]):
    """A link into a team, without its token."""

    uses = serializers.IntegerField(source="uses_most", read_only=True)

    class Meta:
        model = TeamInvitation
        fields: tuple[str, ...] = ("id", "uses", "uses_left", "expires_at")
        read_only_fields = fields


@example_shown(id=1, uses=3, uses_left=3, expires_at=TIME, link=LINK)
class MadeTeamLinkSerializer(TeamLinkSerializer):
    """A link that was just made: this is the only time that it is told."""

    link = serializers.SerializerMethodField()

    class Meta(TeamLinkSerializer.Meta):
        fields = (*TeamLinkSerializer.Meta.fields, "link")
        read_only_fields = fields

    def get_link(self, made: TeamInvitation) -> str:
        return address(self, "teams:follow", self.context["token"])


@example(link=LINK)
class TeamJoinSerializer(serializers.Serializer[Any]):
    """The link that the captain gave you, or what stands at its end."""

    link = serializers.CharField(max_length=300)
