"""Serializers of assignments, hand-ins, extensions and marks."""

from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from assignments.models import (
    GRACE_MOST,
    LATE_DAYS_MOST,
    POINTS_MOST,
    REASON_MOST,
    TEAM_MOST,
    TEXT_MOST,
    TITLE_MOST,
    Assignment,
    AssignmentReference,
    MarkRuling,
)
from assignments.selectors.marks import MarkCell, MarkOutcome, StudentRow, StudentStatus
from web.api_examples import DIGEST, GAME, RULESET, TIME, api_example_shown, serializer_example
from web.serializers import GAME_CHOICES, serializer_address

SITE: Final = "https://peck.example.org"
RULINGS: Final = [(one.value, one.value) for one in (MarkRuling.MET, MarkRuling.MISSED)]


@serializer_example(bot="house-hen", version=2, threshold=60, points=1)
@api_example_shown(id=1, bot="house-hen", version=2, threshold=60, points=1)
class ReferenceSerializer(serializers.ModelSerializer[AssignmentReference]):
    """A reference: a version of a house bot or of my own, against which bots are marked."""

    bot = serializers.SlugField(source="version.bot.slug", max_length=90)
    version = serializers.IntegerField(source="version.number", min_value=1, max_value=10**6)
    threshold = serializers.IntegerField(min_value=5, max_value=95, help_text="Percent of the score to exceed.")
    points = serializers.IntegerField(min_value=0, max_value=POINTS_MOST, default=1)

    class Meta:
        model = AssignmentReference
        fields = ("id", "bot", "version", "threshold", "points")


@serializer_example(
    group="class-10b",
    title="Beat the house",
    game=GAME,
    opens_at=TIME,
    due_at="2027-02-13T22:00:00Z",
    references=[{"id": 1, "bot": "house-hen", "version": 2, "threshold": 60, "points": 1}],
)
@api_example_shown(group="class-10b", title="Beat the house", text="", game=GAME, ruleset=RULESET, zone="UTC")
@api_example_shown(commitment=DIGEST, secret=None, page=f"{SITE}/groups/class-10b/assignments/1/")
class AssignmentSerializer(serializers.ModelSerializer[Assignment]):
    """An assignment of one of my groups."""

    group = serializers.SlugField(source="group.slug", max_length=90)
    title = serializers.CharField(max_length=TITLE_MOST)
    text = serializers.CharField(max_length=TEXT_MOST, allow_blank=True, default="")
    game = serializers.ChoiceField(choices=GAME_CHOICES)
    references = ReferenceSerializer(many=True)
    grace_minutes = serializers.IntegerField(min_value=0, max_value=GRACE_MOST, default=0)
    late_days = serializers.IntegerField(min_value=0, max_value=LATE_DAYS_MOST, default=0)
    late_penalty = serializers.IntegerField(
        min_value=0, max_value=100, default=0, help_text="Percent of the points for each late day."
    )
    attempts_a_day = serializers.IntegerField(min_value=1, max_value=100, default=5)
    team_size = serializers.IntegerField(
        min_value=1, max_value=TEAM_MOST, default=1, help_text="How many people may hand in one bot together."
    )
    commitment = serializers.CharField(read_only=True, help_text="SHA-256 of the secret from which seeds are derived.")
    secret = serializers.SerializerMethodField(
        help_text="In hexadecimal after all marks are published, otherwise null."
    )
    page = serializers.SerializerMethodField(help_text="Its page.")

    class Meta:
        model = Assignment
        fields = (
            *("id", "group", "title", "text", "game", "ruleset", "zone", "opens_at", "due_at", "grace_minutes"),
            *("late_days", "late_penalty", "attempts_a_day", "team_size", "references", "commitment", "secret"),
            "page",
        )
        read_only_fields = ("ruleset", "zone")

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_secret(self, assignment: Assignment) -> str | None:
        return assignment.revealed or None

    def get_page(self, assignment: Assignment) -> str:
        return serializer_address(self, "assignments:detail", assignment.group.slug, assignment.pk)


@serializer_example(title="Beat the house twice", due_at="2027-02-14T22:00:00Z")
class AssignmentChangeSerializer(serializers.ModelSerializer[Assignment]):
    """The fields that can be changed. After the first marking, these are only the title and the text."""

    title = serializers.CharField(max_length=TITLE_MOST)
    text = serializers.CharField(max_length=TEXT_MOST, allow_blank=True)
    grace_minutes = serializers.IntegerField(min_value=0, max_value=GRACE_MOST)
    late_days = serializers.IntegerField(min_value=0, max_value=LATE_DAYS_MOST)
    late_penalty = serializers.IntegerField(min_value=0, max_value=100)
    attempts_a_day = serializers.IntegerField(min_value=1, max_value=100)

    class Meta:
        model = Assignment
        fields = ("title", "text", "due_at", "grace_minutes", "late_days", "late_penalty", "attempts_a_day")


@serializer_example(bot="rooster")
class HandInSerializer(serializers.Serializer[Any]):
    """A bot of mine to hand in."""

    bot = serializers.SlugField(max_length=90)


@serializer_example(username="ada", due_at="2027-02-20T22:00:00Z", reason="ill")
class DueExtensionSerializer(serializers.Serializer[Any]):
    """An extension of the due time for one student."""

    username = serializers.CharField(max_length=150)
    due_at = serializers.DateTimeField()
    reason = serializers.CharField(max_length=REASON_MOST)


@serializer_example(reason="the reference bot was broken")
class MarkingRenewSerializer(serializers.Serializer[Any]):
    """Another marking on new seeds."""

    reason = serializers.CharField(max_length=REASON_MOST)
    takes_newest = serializers.BooleanField(default=False, help_text="Mark the newest accepted version.")


@serializer_example(ruling="met", reason="58 % after 200 blocks")
class MarkDecisionSerializer(serializers.Serializer[Any]):
    """The decision about a mark that the games left undecided."""

    ruling = serializers.ChoiceField(choices=RULINGS)
    reason = serializers.CharField(max_length=REASON_MOST)


@serializer_example(reason="too close, so the share counts")
class MarksDecisionSerializer(serializers.Serializer[Any]):
    """The reason to decide all undecided marks by the shares shown."""

    reason = serializers.CharField(max_length=REASON_MOST)


@api_example_shown(count=4)
class DecidedSerializer(serializers.Serializer[Any]):
    """The number of marks that were decided."""

    count = serializers.IntegerField()


@api_example_shown(count=12)
class PublishedSerializer(serializers.Serializer[Any]):
    """The number of students who can see their marks from now on."""

    count = serializers.IntegerField()


@api_example_shown(
    reference=1, outcome="met", before="", match=12, share=0.71, low=0.62, high=0.8, blocks=32, ruling_reason=""
)
class MarkCellSerializer(serializers.Serializer[Any]):
    """A mark against one reference."""

    reference = serializers.IntegerField(source="reference.pk")
    outcome = serializers.ChoiceField(choices=MarkOutcome.choices)
    before = serializers.CharField(help_text="The outcome in the previous marking, if it was different.")
    match = serializers.IntegerField(source="mark.match_id", allow_null=True)
    share = serializers.FloatField(source="shown.share", allow_null=True, help_text="Share of the score, 0 to 1.")
    low = serializers.FloatField(
        source="shown.low", allow_null=True, help_text="Lower end of the 95 % interval of the share."
    )
    high = serializers.FloatField(source="shown.high", allow_null=True, help_text="Upper end of the interval.")
    blocks = serializers.IntegerField(source="shown.blocks")
    ruling_reason = serializers.CharField(
        source="mark.ruling_reason", help_text="The reason of a decision by staff, or empty."
    )


@api_example_shown(username="ada", roster_id="17", name="Ada Lovelace", status="published", bot="rooster", version=3)
@api_example_shown(due_at=TIME, days_late=0, points=2.0, team="")
class MarkRowSerializer(serializers.Serializer[Any]):
    """The row of a student. Students get only their own, as far as it is published."""

    username = serializers.CharField(source="person.username")
    roster_id = serializers.SerializerMethodField()
    name = serializers.CharField()
    status = serializers.ChoiceField(choices=StudentStatus.choices)
    due_at = serializers.DateTimeField(source="deadline.due_at")
    bot = serializers.SerializerMethodField(help_text="The bot that was handed in, or null.")
    version = serializers.SerializerMethodField(help_text="The number of the marked version, or null.")
    days_late = serializers.SerializerMethodField()
    points = serializers.FloatField(allow_null=True)
    team = serializers.CharField(help_text="The team that shares the hand-in and its mark, or empty.")
    marks = serializers.SerializerMethodField()

    def get_roster_id(self, row: StudentRow) -> str:
        return row.member.roster_id if row.member else ""

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_bot(self, row: StudentRow) -> str | None:
        return row.hand_in.bot.slug if row.hand_in else None

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_version(self, row: StudentRow) -> int | None:
        return row.marking.version.number if row.marking else None

    def get_days_late(self, row: StudentRow) -> int:
        return row.marking.days_late if row.marking else 0

    @extend_schema_field(MarkCellSerializer(many=True))
    def get_marks(self, row: StudentRow) -> list[dict[str, Any]]:
        cells: list[MarkCell] = [cell for cell in row.cells if cell.mark is not None]
        return [dict(MarkCellSerializer(cell).data) for cell in cells]
