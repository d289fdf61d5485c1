"""The API of rulings: the preview of their consequences, and the rulings themselves."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.exceptions import ErrorDetail
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from bots.serializers import NamedBotSerializer
from contests.terms_api import Strict
from tournaments.api import RulingSerializer, RulingsView
from tournaments.entering_api import SignedInToWrite
from tournaments.formats.knockout import DecidedBy
from tournaments.formats.knockout.pages.bracket_changes import BoutChanged, bracket_changed
from tournaments.models import RULING_CHOICES, Entry, Fixture, Tournament
from tournaments.ruling_forms import ProposalForm
from tournaments.ruling_validation import ruling_score_field
from tournaments.selectors.pages.tournament_page import tournament_entries_of
from tournaments.selectors.rulings.consequences import ruling_consequences_of
from tournaments.selectors.rulings.ruling_log import ruling_log_of
from tournaments.selectors.rulings.ruling_preview import Consequences, Proposal, ruling_preview_ranks_moved
from tournaments.services import ruling_make
from tournaments.settings_api import ERRORS
from tournaments.standings import RulingCode
from tournaments.views.lookups import ruled_tournament
from web.api_examples import DIGEST, api_example_shown, serializer_example
from web.api_view import API
from web.requests import request_user


class BotScoreSerializer(Strict):
    """The score of a bot in a match."""

    bot = serializers.SlugField(max_length=90)
    score = serializers.FloatField(help_text="Games won. A shared win counts in part.")


@serializer_example(kind="void", round=1, table=2)
class ProposalSerializer(Strict):
    """A proposed ruling, about a match (its round and table), a bot (its slug) or another ruling (its number)."""

    kind = serializers.ChoiceField(choices=RULING_CHOICES)
    round = serializers.IntegerField(required=False, min_value=1)
    table = serializers.IntegerField(required=False, min_value=1)
    bot = serializers.SlugField(required=False, max_length=90)
    ruling = serializers.IntegerField(required=False, min_value=1, help_text="The ruling to take back.")
    scores = BotScoreSerializer(
        many=True, required=False, help_text="The scores of all bots at the table, to replace a result."
    )
    annul = serializers.BooleanField(
        required=False, help_text="For a disqualification: the results of the bot count for nobody."
    )


@serializer_example(kind="void", round=1, table=2, reason="The wrong bots met.", basis="0f3a…")
class NewRulingSerializer(ProposalSerializer):
    """A ruling with its public reason, and the ``basis`` of its preview."""

    reason = serializers.CharField(max_length=1000)
    basis = serializers.CharField(max_length=64)


class PlaceSerializer(serializers.Serializer[Any]):
    """A table of a round."""

    round = serializers.IntegerField(source="round.number")
    table = serializers.IntegerField()


@api_example_shown(rank=1, points=2.0, rank_after=3, points_after=1.0)
class MovedSerializer(serializers.Serializer[Any]):
    """A row of the standings before and after. The values after are null if the stage restarts."""

    bot = NamedBotSerializer(source="entry.bot")
    rank = serializers.IntegerField(source="before.rank")
    points = serializers.FloatField(source="before.points")
    rank_after = serializers.IntegerField(source="after.rank", allow_null=True, default=None)
    points_after = serializers.FloatField(source="after.points", allow_null=True, default=None)


class ChangeSerializer(serializers.Serializer[Any]):
    """The rows of a stage's standings that change."""

    stage = serializers.IntegerField()
    begins_anew = serializers.BooleanField()
    rows = MovedSerializer(many=True)


@api_example_shown(name="Semi-finals, match 1", meet=[])
class BoutChangedSerializer(serializers.Serializer[Any]):
    """A match of a knockout from which other bots go on, or in which other bots meet."""

    stage = serializers.IntegerField()
    name = serializers.CharField(help_text="Its slot in the bracket, in words.")
    goes_on = serializers.SerializerMethodField(help_text="Nobody while it is still to be played.")
    instead = serializers.SerializerMethodField(help_text="The bots that went on from it before, if it was decided.")
    meet = serializers.SerializerMethodField(help_text="The bots that meet in it, if it is still to be drawn.")
    by = serializers.ChoiceField(
        choices=[one.value for one in DecidedBy], allow_null=True, help_text="The criterion that decides it."
    )

    @extend_schema_field(NamedBotSerializer(many=True))
    def get_goes_on(self, one: BoutChanged) -> Any:
        return self._bots(one.goes_on)

    @extend_schema_field(NamedBotSerializer(many=True))
    def get_instead(self, one: BoutChanged) -> Any:
        return self._bots(one.instead)

    @extend_schema_field(NamedBotSerializer(many=True))
    def get_meet(self, one: BoutChanged) -> Any:
        return self._bots(one.meet)

    def _bots(self, entries: Sequence[Entry]) -> Any:
        return NamedBotSerializer([entry.bot for entry in entries], many=True, context=self.context).data


@api_example_shown(
    basis=DIGEST, again=None, undone=[], called_off=[], released=[], barred=[], admitted=[], redrawn=None, standing=[]
)
class ConsequencesSerializer(serializers.Serializer[Any]):
    """The consequences of a proposed ruling. Nothing is changed."""

    basis = serializers.CharField(
        help_text="A digest of the proposal and of what it affects. The ruling needs it, and is refused if it has"
        " changed."
    )
    changes = ChangeSerializer(many=True)
    again = PlaceSerializer(allow_null=True, help_text="The match that is replayed.")
    undone = PlaceSerializer(many=True, help_text="Matches that are superseded.")
    called_off = PlaceSerializer(many=True, help_text="Matches that are cancelled.")
    released = PlaceSerializer(many=True, help_text="Cancelled matches that are played after all.")
    barred = PlaceSerializer(many=True, help_text="Matches in which a bot that is out forfeits its seat.")
    admitted = PlaceSerializer(many=True, help_text="Matches in which such a bot plays again.")
    bracket = BoutChangedSerializer(many=True, help_text="Matches of knockouts that change.")
    redrawn = serializers.IntegerField(allow_null=True, help_text="The waiting round that is drawn again.")
    standing = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Rounds that were drawn from the earlier standings, and stay as they are.",
    )
    reopen_first = serializers.BooleanField(
        help_text="True if matches would have to be played after the end: re-open the tournament first."
    )


class PreviewView(API):
    """The consequences of a proposed ruling."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="tournaments_rulings_preview",
        summary="Preview a ruling",
        description="Returns the consequences, and the `basis` that the ruling needs. Nothing is changed. For the"
        " organiser and the arbiters.",
        request=ProposalSerializer,
        responses={200: ConsequencesSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = ruled_tournament(request, slug)
        asked = ProposalSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        follows = ruling_consequences_of(tournament, ruling_api_proposal(tournament, asked.validated_data))
        return Response(
            ConsequencesSerializer(_consequences_data(tournament, follows), context={"request": request}).data
        )


class RulingsAndNewView(RulingsView):
    """The rulings of a tournament, the last one first."""

    permission_classes = (SignedInToWrite,)

    @extend_schema(
        summary="Make a ruling",
        description="For the organiser and the arbiters, after a preview. 409 `stale`: the consequences have changed"
        " since the preview. Repeating the request makes one ruling.",
        request=NewRulingSerializer,
        responses={201: RulingSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = ruled_tournament(request, slug)
        asked = NewRulingSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        reason, basis = (asked.validated_data.pop(name) for name in ("reason", "basis"))
        by, kind = request_user(request), asked.validated_data["kind"]
        made = tournament.rulings.filter(basis=basis, kind=kind, by=by.pk, reason=reason).first()
        if made is None:
            proposal = ruling_api_proposal(tournament, asked.validated_data)
            made = ruling_make(tournament=tournament, proposal=proposal, reason=reason, basis=basis, by=by)
        tournament = ruled_tournament(request, slug)
        line = next(one for one in ruling_log_of(tournament) if one.ruling.pk == made.pk)
        return Response(self.get_serializer(line).data, status=status.HTTP_201_CREATED)


OF_PROPOSAL: Final = {
    "entry": "bot",
    "fixture": "table",
}  # fields that have another name in the API than in the form and the services


def ruling_api_proposal(tournament: Tournament, values: Mapping[str, Any]) -> Proposal:
    """Return the proposed ruling, if it is allowed in the current state.

    Raises:
        ValidationError: it is not allowed. The reasons are by field.
    """
    data = {name: str(values[name]) for name in ("round", "table", "ruling") if name in values}
    data["annul"] = "annul" if values.get("annul") else "keep"
    entry = tournament.entries.filter(bot__slug=values["bot"]).last() if "bot" in values else None
    if entry is not None:
        data["entry"] = str(entry.pk)
    kind = RulingCode(values["kind"])
    fields = _score_fields(ProposalForm(data, kind=kind, tournament=tournament).fixture)
    for place, one in enumerate(values.get("scores", ())):
        if one["bot"] not in fields:
            sentence = _("This bot does not sit at that table.")
            raise serializers.ValidationError({f"scores.{place}": [ErrorDetail(sentence, "unknown_bot")]})
        data[fields[one["bot"]]] = str(one["score"])
    form = ProposalForm(data, kind=kind, tournament=tournament)
    if form.is_valid():
        return form.proposal
    found: dict[str, list[ErrorDetail]] = {}
    for name, errors in form.errors.as_data().items():
        field = "scores" if name.startswith("score_") else OF_PROPOSAL.get(name, name.strip("_"))
        details = [ErrorDetail(text, error.code or "cannot_rule") for error in errors for text in error.messages]
        found.setdefault("" if field == "all" else field, []).extend(details)
    raise serializers.ValidationError(found)


def _score_fields(fixture: Fixture | None) -> dict[str, str]:
    """Return the name of the form field for the score of each bot, by slug."""
    if fixture is None:
        return {}
    return {
        seat.version.bot.slug: ruling_score_field(seat) for seat in fixture.match.seats.select_related("version__bot")
    }


def _consequences_data(tournament: Tournament, follows: Consequences) -> dict[str, Any]:
    entries = {entry.pk: entry for entry in tournament_entries_of(tournament)} if follows.changes else {}
    names = ("basis", "again", "undone", "called_off", "released", "barred", "admitted")
    changes = [(one, ruling_preview_ranks_moved(one, entries)) for one in follows.changes]
    return {
        **{name: getattr(follows, name) for name in names},
        "changes": [
            {"stage": one.stage.number, "begins_anew": one.restarts, "rows": rows} for one, rows in changes if rows
        ],
        "bracket": bracket_changed(follows, entries),
        "redrawn": follows.redraw.played.number if follows.redraw else None,
        "standing": cast(Any, follows.standing),
        "reopen_first": follows.to_play and tournament.is_over,
    }
