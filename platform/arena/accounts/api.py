"""Who I am, for programs that were given a token."""

from typing import Any, cast

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated

from arena.accounts.models import User
from arena.accounts.tokens import SCOPES
from web.api_examples import SITE, example_shown
from web.api_view import Item
from web.serializers import address


@example_shown(username="ada", page=f"{SITE}/authors/ada/")
class MeSerializer(serializers.ModelSerializer[User]):
    """The owner of the token."""

    scopes = serializers.SerializerMethodField(help_text="What the token may.")
    page = serializers.SerializerMethodField(help_text="The same for people, as everyone sees it.")

    class Meta:
        model = User
        fields = ("username", "is_organiser", "scopes", "page")
        read_only_fields = fields

    @extend_schema_field(serializers.ListField(child=serializers.ChoiceField(choices=["read", *SCOPES])))
    def get_scopes(self, _user: User) -> list[str]:
        scopes: list[str] = self.context["request"].auth.scopes
        return scopes

    def get_page(self, user: User) -> str:
        return address(self, "accounts:profile", user.username)


class MeView(Item):
    """Who I am: the owner of the token."""

    serializer_class: Any = MeSerializer
    permission_classes = (IsAuthenticated,)

    def get_object(self) -> User:
        return cast(User, self.request.user)
