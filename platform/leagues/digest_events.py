"""The weekly digest of a league, for webhooks and notices: one event per recipient, about the recipient's bots."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final
from uuid import UUID, uuid5

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from rest_framework import serializers

from hooks.kinds import KindSection, hook_kind_register
from hooks.services import Event
from leagues.hook_events import LeagueDataSerializer, league_event_data
from leagues.models import League
from leagues.selectors.weeks import BotWeek, LeagueWeek
from web.templatetags.numbers import percent

DIGEST: Final = "league.digest"
DIGESTS: Final = UUID("0b0f7a52-6d0e-4a55-9c8e-2f1b8a4f9d37")
TOP: Final = 5  # bots
BOTS_MOST: Final = 50  # bots of one recipient
OVERTOOK_MOST: Final = 10  # bots that one bot overtook
NAMED_MOST: Final = 3  # bots in a sentence


class DigestTopSerializer(serializers.Serializer[Any]):
    """A bot at the top of the ladder; ranks are those in its division."""

    bot = serializers.SlugField()
    name = serializers.CharField()
    division = serializers.IntegerField(help_text="1 is the strongest.")
    rank = serializers.IntegerField()
    rating = serializers.IntegerField()


class DigestBotSerializer(DigestTopSerializer):
    """The week of a bot of the reader's, or of a team of theirs."""

    rank_before = serializers.IntegerField(allow_null=True, help_text="Null if it was not on the ladder.")
    rating_change = serializers.IntegerField(allow_null=True)
    matches = serializers.IntegerField()
    share = serializers.FloatField(allow_null=True, help_text="Of opponents beaten, 0 to 1; null without a match.")
    forfeits = serializers.IntegerField(help_text="Matches that it forfeited by its faults.")
    overtaken_by = serializers.CharField(allow_blank=True, help_text="The name of the nearest bot that did.")
    overtook = serializers.ListField(child=serializers.CharField(), help_text="Their names.")


class DigestDataSerializer(LeagueDataSerializer):
    """A week of a league in which it was played, with the reader's bots; `url` is the league in the API."""

    season = serializers.IntegerField()
    week = serializers.DateField(help_text="Its Monday; weeks are those of UTC.")
    matches = serializers.IntegerField()
    top = DigestTopSerializer(many=True)
    bots = DigestBotSerializer(many=True)


def league_digest_event_register() -> None:
    """Register the digest as an event kind."""
    label = gettext_lazy("a week in a league of mine is over: how my bots did, and who leads (on Mondays)")
    hook_kind_register(DIGEST, label, DigestDataSerializer, _digest, is_quiet=True, section=KindSection.LEAGUES)


def league_digest_event(league: League, week: date, found: LeagueWeek, person: int, bots: Sequence[BotWeek]) -> Event:
    """Return the digest for ``person``, the owner of ``bots``.

    Its id is the same for every call with a league and week.
    """
    data = league_event_data(league) | {
        "season": found.season.number,
        "week": week.isoformat(),
        "matches": found.matches,
        "top": [_of_top(one) for one in found.bots[:TOP]],
        "bots": [_of_bot(one) for one in bots[:BOTS_MOST]],
    }
    return Event(DIGEST, {person}, data, uuid5(DIGESTS, f"{league.pk} {week.isoformat()} {person}"))


def _of_top(one: BotWeek) -> dict[str, Any]:
    return {
        "bot": one.bot.slug,
        "name": one.bot.name,
        "division": one.division,
        "rank": one.rank,
        "rating": round(one.points),
    }


def _of_bot(one: BotWeek) -> dict[str, Any]:
    return {
        **_of_top(one),
        "rank_before": one.rank_before,
        "rating_change": None if one.change is None else round(one.change),
        "matches": one.matches,
        "share": None if one.share is None else round(one.share, 3),
        "forfeits": one.forfeits,
        "overtaken_by": one.overtaken_by.name if one.overtaken_by else "",
        "overtook": [other.name for other in one.overtook[:OVERTOOK_MOST]],
    }


def _digest(data: Mapping[str, Any]) -> str:
    count = data["matches"]
    values = {
        "league_name": data["league_name"],
        "day": date_format(date.fromisoformat(data["week"]), "SHORT_DATE_FORMAT"),
        "count": count,
    }
    head = ngettext(
        "%(league_name)s, week of %(day)s: %(count)d match.",
        "%(league_name)s, week of %(day)s: %(count)d matches.",
        count,
    )
    bots = data["bots"]
    parts = [head % values, *map(_bot_week_sentence, bots[:NAMED_MOST])]
    if more := len(bots) - NAMED_MOST if len(bots) > NAMED_MOST else 0:
        parts.append(ngettext("And %(count)d more bot.", "And %(count)d more bots.", more) % {"count": more})
    names = ", ".join(f"{one['rank']}. {one['name']} ({one['rating']})" for one in data["top"][:NAMED_MOST])
    return " ".join([*parts, _("At the top: %(names)s.") % {"names": names}])


def _bot_week_sentence(bot: Mapping[str, Any]) -> str:
    """Return a sentence about the week of a bot.

    For example: "Rooster: rank 3 (before: 5), rating 1612 (+24); 61 % of opponents beaten in 180 matches; overtook
    Crow."
    """
    if bot["rank_before"] is None:
        head = _("%(name)s: new at rank %(rank)d, rating %(rating)d") % bot
    else:
        values = {**bot, "change": f"{bot['rating_change']:+d}".replace("-", "\N{MINUS SIGN}")}
        head = _("%(name)s: rank %(rank)d (before: %(rank_before)d), rating %(rating)d (%(change)s)") % values
    parts = [head]
    if bot["matches"]:
        share = ngettext(
            "%(share)s of opponents beaten in %(count)d match",
            "%(share)s of opponents beaten in %(count)d matches",
            bot["matches"],
        )
        parts.append(share % {"share": percent(bot["share"] or 0), "count": bot["matches"]})
    if bot["forfeits"]:
        count = bot["forfeits"]
        forfeits = ngettext("%(count)d match forfeited by faults", "%(count)d matches forfeited by faults", count)
        parts.append(forfeits % {"count": count})
    if bot["overtaken_by"]:
        parts.append(_("overtaken by %(name)s") % {"name": bot["overtaken_by"]})
    if bot["overtook"]:
        parts.append(_("overtook %(names)s") % {"names": ", ".join(bot["overtook"])})
    return "; ".join(parts) + "."
