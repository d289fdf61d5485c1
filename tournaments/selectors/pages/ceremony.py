"""The ceremony of a tournament as its page and the API show it, and the ranks that it reveals."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from django.utils.translation import gettext as _

from tournaments.models import Ceremony, Entry, Tournament
from tournaments.models.planning import PODIUM_PLACES
from tournaments.selectors.standings.ranking import standings_of
from tournaments.standings import Placed, Row, final_ranking

TOP: Final = 10  # the place to which the organiser can skip
LISTED: Final = 60  # bots on the page, which are those that were revealed last

Rank = list[Placed]


@dataclass(frozen=True, slots=True)
class RevealedBot:
    """A bot with the data that was stored when its rank was revealed.

    ``points`` is None in a knockout. ``is_out`` tells whether the bot is disqualified.
    """

    entry: Entry
    points: float | None
    won: int
    drawn: int
    lost: int
    by_lot: bool
    is_out: bool


@dataclass(frozen=True, slots=True)
class RevealedRank:
    rank: int
    bots: Sequence[RevealedBot]

    @property
    def is_shared(self) -> bool:
        return len(self.bots) > 1

    @property
    def is_out(self) -> bool:
        return self.bots[0].is_out

    @property
    def is_podium(self) -> bool:
        return self.rank <= PODIUM_PLACES and not self.is_out

    @property
    def sentence(self) -> str:
        """A sentence that announces the bot's rank."""
        house = _("house bot")
        bots = [one.entry.bot for one in self.bots]
        names = ", ".join(f"{bot.name} ({house if bot.is_house else bot.author_name})" for bot in bots)
        values = {"place": self.rank, "names": names}
        if self.is_out:
            return _("Disqualified: %(names)s.") % values
        if self.is_shared:
            return _("Place %(place)d, shared: %(names)s.") % values
        return (_("The winner is %(names)s.") if self.rank == 1 else _("Place %(place)d: %(names)s.")) % values


@dataclass(frozen=True, slots=True)
class CeremonyShown:
    """The ceremony on its page: the last revealed ``ranks``, and the number of bots ``below`` them.

    The rank that was revealed last comes first.
    """

    ceremony: Ceremony
    ranks: Sequence[RevealedRank]
    below: int

    @property
    def latest(self) -> RevealedRank | None:
        return self.ranks[0] if self.ranks else None

    @property
    def comes_podium(self) -> bool:
        """Whether the next rank is on the podium."""
        return 0 < (self.ceremony.left or 0) <= PODIUM_PLACES

    @property
    def may_skip(self) -> bool:
        return self.ceremony.is_on and (self.ceremony.left or 0) > TOP


def ceremony_of(tournament: Tournament) -> Ceremony | None:
    """Return the ceremony that was announced or has started, if any."""
    return Ceremony.objects.filter(tournament=tournament).select_related("tournament").first()


def ceremony_shown(ceremony: Ceremony) -> CeremonyShown:
    """Return the part of the ceremony that is public.

    Only the row of the ceremony and the bots in it are read. They have no rank that is not revealed yet.
    """
    chosen: list[dict[str, Any]] = []
    below = sum(len(rank["bots"]) for rank in ceremony.revealed)
    for rank in reversed(ceremony.revealed):
        if chosen and sum(len(one["bots"]) for one in chosen) + len(rank["bots"]) > LISTED:
            break
        chosen.append(rank)
    below -= sum(len(rank["bots"]) for rank in chosen)
    return CeremonyShown(ceremony, list(ceremony_ranks_revealed(chosen)), below)


def ceremony_ranks_revealed(stored: Sequence[Mapping[str, Any]]) -> Iterable[RevealedRank]:
    """Yield the stored ranks with their bots. Bots whose entry was deleted are left out."""
    keys = [bot["entry"] for rank in stored for bot in rank["bots"]]
    entries = Entry.objects.select_related("bot__owner").in_bulk(keys)
    for rank in stored:
        bots = [
            RevealedBot(entries[bot["entry"]], **{name: value for name, value in bot.items() if name != "entry"})
            for bot in rank["bots"]
            if bot["entry"] in entries
        ]
        if bots:
            yield RevealedRank(rank["rank"], bots)


def ceremony_ranks_of(tournament: Tournament) -> list[Rank]:
    """Compute the ranks from the current results: see ``ceremony_ranks_in``."""
    begun = [stage for stage in tournament.stages.all() if stage.started_at and not stage.kind.is_play_off]
    for stage in begun:
        stage.tournament = tournament
    return ceremony_ranks_in([standings_of(stage) for stage in begun])


def ceremony_ranks_in(stages: Sequence[Sequence[Row]]) -> list[Rank]:
    """Return the bots of each rank, the last rank first. For ``stages`` see ``standings.final_ranking``.

    Bots that share a rank are revealed together. All disqualified bots are revealed together too.
    """
    sharing = groupby(final_ranking(stages), lambda one: (one.rank, one.row.disqualified))
    return [list(rank) for _, rank in sharing][::-1]


def is_ceremony_outdated(ceremony: Ceremony, ranks: Sequence[Rank]) -> bool:
    """Return whether the revealed ranks differ from the current ``ranks``, for example after a ruling."""
    shown = [(rank["rank"], sorted(bot["entry"] for bot in rank["bots"])) for rank in ceremony.revealed]
    now = [(rank[0].rank, sorted(one.entrant for one in rank)) for rank in ranks[: len(shown)]]
    return shown != now or ceremony.left != sum(len(rank) for rank in ranks[len(shown) :])
