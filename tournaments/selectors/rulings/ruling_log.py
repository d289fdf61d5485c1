"""The log of rulings, for pages and for exports."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from matches.models import Match
from matches.models import Seat as MatchSeat
from tournaments.models import Entry, Fixture, Ruling, SupersededMatch, Tournament
from tournaments.models import Ruling as RulingRow
from tournaments.standings import RulingCode, StandingRuling, standings_rulings_active

RULINGS_COLUMNS: Final = (  # columns of exported files; their names must not change
    *("number", "kind", "created", "by", "round", "table", "match", "bot", "annulled", "scores", "replayed_as"),
    *("displaced", "takes_back", "holds", "reason"),
)


@dataclass(frozen=True, slots=True)
class LogLine:
    """A ruling in the log.

    ``about`` are the bots of the match that the ruling is about, or the bot that it is about. ``scores`` are the scores
    that replace the result. ``new`` is the match that is played in place of the old one. ``superseded`` are the other
    matches that the ruling supersedes. ``taken_back`` tells whether the ruling is no longer in effect.
    """

    ruling: Ruling
    about: tuple[Entry, ...]
    scores: tuple[tuple[Entry, float], ...]
    new: int | None
    superseded: tuple[SupersededMatch, ...]
    taken_back: bool

    @property
    def sentence(self) -> str:
        """The ruling in a sentence, without the names of the bots."""
        return ruling_sentence(self.ruling)


def ruling_sentence(ruling: Ruling) -> str:
    """Return the ruling in a sentence, without the names of the bots."""
    if ruling.kind == RulingCode.DISQUALIFY:
        annul = ruling.data.get("annul", False)
        return _("Disqualified; its results count for nobody.") if annul else _("Disqualified; its results stand.")
    if ruling.kind == RulingCode.REINSTATE and ruling.match_id is not None:  # made before TAKE_BACK existed
        return _("The match counts again as it was played.")
    if ruling.kind == RulingCode.TAKE_BACK and ruling.names is not None:
        return _("Ruling %(number)d is no longer in force.") % {"number": ruling.names.number}
    return str(_(SENTENCES[RulingCode(ruling.kind)]))


SENTENCES: Final = {
    RulingCode.VOID: gettext_noop("The match does not count."),
    RulingCode.REPLAY: gettext_noop("The match does not count, another is played in its place."),
    RulingCode.REPLACE: gettext_noop("The match counts with these scores, whatever was played."),
    RulingCode.REINSTATE: gettext_noop("No longer withdrawn by the rules."),
    RulingCode.WITHDRAW: gettext_noop("Withdrawn; its results stand."),
    RulingCode.REOPEN: gettext_noop("The tournament goes on."),
    RulingCode.NOTE: gettext_noop("A remark; nothing changes."),
}


def ruling_log_of(tournament: Tournament) -> list[LogLine]:
    """Return all rulings, the latest first."""
    held = {one.number for one in standings_rulings_active(rulings_of(tournament))}
    rulings = tournament.rulings.select_related("by", "names").prefetch_related("superseded").order_by("-number")
    seats = MatchSeat.objects.filter(match__rulings__tournament=tournament).order_by("match", "index").distinct()
    sat = list(seats.values_list("match_id", "version__bot"))
    named = Q(rulings__tournament=tournament) | Q(bot__in={bot for _, bot in sat})
    entries = tournament.entries.filter(named).select_related("bot__owner", "version").distinct()
    by_id = {entry.pk: entry for entry in entries}
    by_bot = {entry.bot_id: entry for entry in entries}
    players: dict[int, list[Entry]] = {}
    for match, bot in sat:
        players.setdefault(match, []).append(by_bot[bot])
    seated = {ruling.pk: tuple(players.get(ruling.match_id or 0, ())) for ruling in rulings}
    return [
        LogLine(
            ruling=ruling,
            about=(by_id[ruling.entry_id],) if ruling.entry_id else seated[ruling.pk],
            scores=_by_seat(ruling.data.get("scores", {}), seated[ruling.pk]),
            new=ruling.data.get("new"),
            superseded=tuple(one for one in ruling.superseded.all() if one.match_id != ruling.match_id),
            taken_back=ruling.number not in held,
        )
        for ruling in rulings
    ]


def _by_seat(scores: Mapping[str, float], seated: Sequence[Entry]) -> tuple[tuple[Entry, float], ...]:
    """Return the scores in seat order. They have lost this order, because PostgreSQL reorders the keys of JSON."""
    return tuple((entry, scores[str(entry.pk)]) for entry in seated if str(entry.pk) in scores)


def ruling_log_rows(tournament: Tournament) -> Iterator[dict[str, Any]]:
    """Yield a dictionary for each ruling, in order, with the keys ``RULINGS_COLUMNS``."""
    for line in reversed(ruling_log_of(tournament)):
        ruling = line.ruling
        yield {
            "number": ruling.number,
            "kind": ruling.kind,
            "created": ruling.created_at.isoformat(),
            "by": ruling.by.get_username(),
            "round": ruling.data.get("round"),
            "table": ruling.data.get("table"),
            "match": ruling.match_id,
            "bot": line.about[0].bot.name if ruling.entry_id else None,
            "annulled": ruling.data.get("annul"),
            "scores": {entry.bot.name: score for entry, score in line.scores} or None,
            "replayed_as": line.new,
            "displaced": [one.match_id for one in line.superseded] or None,
            "takes_back": ruling.names.number if ruling.names else None,
            "holds": not line.taken_back,
            "reason": ruling.reason,
        }


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """The place of a match in its tournament.

    ``fixture`` is None if the match was ``superseded``. ``rulings`` are all rulings about the match, each with its
    sentence. ``instead`` is the id of the match that is played in place of this one.
    """

    tournament: Tournament
    round: int
    table: int
    superseded: bool
    fixture: Fixture | None
    rulings: tuple[tuple[Ruling, str], ...]
    instead: int | None


def ruling_match_whereabouts(match: Match) -> Whereabouts | None:
    """Return the place of a match in its tournament; None if it belongs to no tournament."""
    fixture = Fixture.objects.select_related("round__tournament", "round__stage").filter(match=match).first()
    gone = (
        SupersededMatch.objects.select_related("ruling__tournament").filter(match=match).first()
        if not fixture
        else None
    )
    if fixture is not None:
        tournament, number, table = fixture.round.tournament, fixture.round.number, fixture.table
    elif gone is not None:
        tournament, number, table = gone.ruling.tournament, gone.round, gone.table
    else:
        return None
    about = (
        Ruling.objects.select_related("names")
        .filter(Q(match=match) | Q(superseded__match=match))
        .distinct()
        .order_by("number")
    )
    rulings = tuple((one, _label_of(one, match)) for one in about.distinct().order_by("number"))
    return Whereabouts(
        tournament=tournament,
        round=number,
        table=table,
        superseded=gone is not None,
        fixture=fixture,
        rulings=rulings,
        instead=gone.ruling.data.get("new") if gone is not None and gone.ruling.match_id == match.pk else None,
    )


def _label_of(ruling: Ruling, match: Match) -> str:
    if ruling.match_id == match.pk:
        return ruling_sentence(ruling)
    return _("The match does not count: its players no longer met here after another result had changed.")


def ruling_fact_of(row: RulingRow, numbers: Mapping[int, int]) -> StandingRuling:
    """Return a ruling as the standings use it. ``numbers`` maps the primary keys of the tournament's rulings to their
    numbers.
    """
    return StandingRuling(
        number=row.number,
        kind=RulingCode(row.kind),
        match=row.match_id,
        entrant=row.entry_id,
        scores={int(entry): score for entry, score in row.data.get("scores", {}).items()},
        annul=row.data.get("annul", False),
        new=row.data.get("new"),
        names=numbers[row.names_id] if row.names_id else None,
    )


def rulings_of(tournament: Tournament) -> list[StandingRuling]:
    """Return all rulings of the tournament, in order."""
    rows = list(tournament.rulings.all())  # one query for pages, which read them several times
    numbers = {row.pk: row.number for row in rows}
    return [ruling_fact_of(row, numbers) for row in rows]
