"""Check a whole proof."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from zipfile import ZipFile

from games.catalogue.code import OtherCode, game_code_check
from games.record import Record
from games.untrusted import UntrustedError, untrusted_archive_open
from leagues.proof import season_proof_replayed
from luck import GameAccount, luck_analyse
from luck.adjusted_mean import Adjusted
from matches.proof.archive import (
    Index,
    proof_archive_index_of,
    proof_archive_links_of,
    proof_archive_names_are_distinct,
    proof_archive_names_check,
    proof_archive_records_of,
)
from matches.proof.chain import Link, ProofError, chain_place_text
from matches.proof.match_result import Watcher
from matches.referee.scoring import Moments, scoring_adjusted, scoring_blocks
from tournaments.facts import TableFact, TableState
from tournaments.proof.computed import proof_computed_standings
from tournaments.proof.replay import proof_replayed
from tournaments.proof.state import ChainState


@dataclass(slots=True)
class LuckTaker:
    """Collects the luck of each game, by match, as the value function ``value`` measures it.

    The luck is None for a game that cannot be analysed. ``other`` is a second watcher, which is called for each game
    too.
    """

    other: Watcher | None = None
    value: str = ""
    games: dict[str, list[Moments | None]] = field(default_factory=dict)

    def look(self, label: str, seating: Sequence[int], packages: Mapping[int, str], index: int, record: Record) -> None:
        """Analyse one game."""
        found = luck_analyse(record, self.value)
        moments = found.luck_moments if isinstance(found, GameAccount) else None
        self.games.setdefault(label, []).append(moments)
        if self.other is not None:
            self.other.look(label, seating, packages, index, record)

    def adjusted(self, state: ChainState) -> dict[int, Adjusted | None]:
        """Return the luck-adjusted result of each entry, computed as in ``selectors.standings.adjusted``.

        The result is None if the entry played a game that cannot be analysed.
        """
        blocks: defaultdict[int, list[tuple[float, Sequence[float]]]] = defaultdict(list)
        lacking: set[int] = set()
        held = state.held
        for table in sorted(state.tables.values(), key=lambda one: (one.round, one.table, one.attempt)):
            if table.state is not TableState.FINISHED or not held.counts(table.match) or table.match in held.given:
                continue
            games = self.games.get(chain_place_text((table.round, table.table, table.attempt)), [])
            if not games or None in games:
                lacking.update(table.seating)
                continue
            for entry, share, moments in _luck_blocks(table, [game for game in games if game is not None]):
                blocks[entry].append((share, moments))
        return {
            entry: None if entry in lacking else scoring_adjusted(blocks[entry])
            for entry in state.entries
            if not held.annulled(entry)
        }


def _luck_blocks(table: TableFact, games: Sequence[Moments]) -> Iterator[tuple[int, float, Sequence[float]]]:
    """Yield the entry, the mean share and the mean moments of luck for each block and seat."""
    places = [[seat.places[index] for seat in table.seats] for index in range(len(games))]
    for block in scoring_blocks(list(zip(places, games, strict=True))):
        yield from zip((seat.entrant for seat in table.seats), block.shares, block.moments, strict=True)


@dataclass(frozen=True, slots=True)
class Proved:
    """The facts that were verified.

    ``places`` has the ranks and names of the last stage that was played, the best first. A ``season`` has neither draws
    nor places.

    If the user gave the digest of a link, ``noted`` is the number of this link, otherwise None. ``later`` has the kinds
    of the links after the noted one, each with the number of links of this kind. ``renamed`` has the entries and people
    whose names have changed since the noted link, with their current names.

    The chain may say that the library for FIDE's rules failed on the site. ``own_rules`` is the number of such rounds.
    ``adjusted`` has the luck-adjusted share of each name, if it was requested. ``luck_value`` names the announced value
    function from which it was computed.
    """

    name: str
    commitments: tuple[str, ...]
    number: int
    head: str
    entries: int
    matches: int
    games: int
    rounds: int = 0
    rulings: int = 0
    ended: bool = True
    own_rules: int = 0
    places: tuple[tuple[int, str], ...] = ()
    noted: int | None = None
    later: tuple[tuple[str, int], ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    season: bool = False
    luck_value: str = ""
    adjusted: tuple[tuple[str, Adjusted | None], ...] = ()


def proof_verify(
    path: Path,
    *,
    noted: str | None = None,
    witness: Watcher | None = None,
    luck: bool = False,
    other_code: bool = False,
) -> Proved:
    """Replay the chain in the archive at ``path``, and check all parts of it.

    ``noted`` is the digest of a link that must be in the chain. ``witness`` runs a bot of the tournament again. With
    ``luck``, the luck of each game is computed again. With ``other_code``, the installed package of the game may differ
    from the package that the site used.

    Raises:
        ProofError: the proof is wrong. The message describes the first error.
        OSError: the file cannot be read.
    """
    try:
        with untrusted_archive_open(path) as archive:
            index = proof_archive_index_of(archive)
            if not other_code:
                _check_code(index)
            links = _Watched(proof_archive_links_of(archive), noted)
            first = next(links, None)
            if first is None:
                raise ProofError("its chain is empty")
            if first[0].kind == "season":
                proved = _season(archive, index, links, chain([first], links))
            else:
                proved = _tournament(archive, index, links, chain([first], links), witness, luck)
            if noted is not None and links.noted is None:
                raise ProofError("the digest that you noted is not in its chain: a link before it was changed")
            return proved
    except UntrustedError as error:
        raise ProofError(str(error)) from None
    except ModuleNotFoundError as error:
        raise ProofError(f"a part of it cannot be checked here: install the package {error.name}") from None


def _check_code(index: Index) -> None:
    try:
        for game, codes in index.code.items():
            for code in codes:
                game_code_check(game, code)
    except OtherCode as error:
        raise ProofError(
            f"it cannot be checked with the code that was played: {error}; install that version, or use the installed"
            " one with --other-code"
        ) from None


class _Watched(Iterator[tuple[Link, object]]):
    """Iterates over the links and records the last one that was read.

    It also records the number of the link with the digest ``wanted``, and counts the links after it by kind.
    """

    def __init__(self, links: Iterator[tuple[Link, object]], wanted: str | None) -> None:
        self._links = links
        self.wanted = wanted
        self.noted: int | None = None
        self.later: Counter[str] = Counter()
        self.last: Link | None = None

    def __next__(self) -> tuple[Link, object]:
        link, content = next(self._links)
        self.last = link
        if self.noted is not None:
            self.later[link.kind] += 1
        elif self.wanted is not None and link.digest == self.wanted:
            self.noted = link.number
        return link, content

    def check_head(self, index: Index, name: str) -> None:
        """Check the name and the head in the archive against those of the chain."""
        if self.last is None or (index.number, index.digest) != (self.last.number, self.last.digest):
            raise ProofError("its head is not the digest of its last link")
        if index.name != name:
            raise ProofError("its name differs from the announced one")


def _tournament(
    archive: ZipFile,
    index: Index,
    watched: _Watched,
    links: Iterable[tuple[Link, object]],
    witness: Watcher | None,
    luck: bool,
) -> Proved:
    taker = LuckTaker(witness) if luck else None
    shown = links if taker is None else _links_with_value_function(links, taker)
    state = proof_replayed(shown, index.secrets, proof_archive_records_of(archive), taker or witness, watched.wanted)
    watched.check_head(index, state.terms["name"])
    if index.has_updates != ("new_versions" in state.terms):
        raise ProofError("its format and its terms differ on whether bots are updated")
    names = proof_archive_names_check(archive, state.names)
    proof_archive_names_are_distinct({whose: name for whose, name in names.items() if whose.startswith("entry/")})
    noted = state.names if state.noted is None else state.noted
    renamed = tuple(
        (whose, names[whose]) for whose, digest in state.names.items() if noted.get(whose, digest) != digest
    )
    names |= {whose: f"{whose} (had another name when the head was noted; now {name!r})" for whose, name in renamed}
    names |= {
        whose: f"{name} (not in the chain when the head was noted)"
        for whose, name in names.items()
        if whose not in noted
    }
    final = max((number for number, one in state.playing.items() if not one.kind.is_play_off), default=0)
    return Proved(
        name=index.name,
        commitments=tuple(luck.commitment for luck in state.lucks),
        number=index.number,
        head=index.digest,
        entries=len(state.entries),
        matches=state.matches,
        games=state.games,
        rounds=len(state.rounds),
        rulings=len(state.rulings),
        ended=state.over == "end",
        own_rules=state.own_rules,
        places=tuple(
            (row.rank, names[f"entry/{row.entrant}"])
            for row in (proof_computed_standings(state, final) if final else ())
        ),
        noted=watched.noted,
        later=tuple(sorted(watched.later.items())),
        renamed=renamed,
        luck_value=str(state.terms.get("luck_value", "")),
        adjusted=_adjusted(state, taker, names) if taker else (),
    )


def _links_with_value_function(links: Iterable[tuple[Link, object]], taker: LuckTaker) -> Iterator[tuple[Link, object]]:
    """Yield the links, and set the value function of ``taker`` when the link with the terms is read.

    The terms come before any game.
    """
    for link, content in links:
        if link.kind == "terms" and isinstance(content, dict):
            taker.value = str(content.get("luck_value", ""))
        yield link, content


def _adjusted(state: ChainState, taker: LuckTaker, names: Mapping[str, str]) -> tuple[tuple[str, Adjusted | None], ...]:
    if "luck_value" not in state.terms:
        return ()
    return tuple((names[f"entry/{entry}"], one) for entry, one in sorted(taker.adjusted(state).items()))


def _season(archive: ZipFile, index: Index, watched: _Watched, links: Iterable[tuple[Link, object]]) -> Proved:
    season = season_proof_replayed(links, index.secrets, proof_archive_records_of(archive))
    watched.check_head(index, season.terms["name"])
    names = proof_archive_names_check(archive, season.names)
    return Proved(
        name=index.name,
        commitments=(season.terms["commitment"],),
        number=index.number,
        head=index.digest,
        entries=len(names),
        matches=season.matches,
        games=season.games,
        noted=watched.noted,
        later=tuple(sorted(watched.later.items())),
        season=True,
    )
