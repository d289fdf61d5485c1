"""Read what is new in a match since the last read, and turn it into frames."""

import logging
from dataclasses import dataclass

from games.replay import RecordError
from matches.airing.selectors import on_air_read
from matches.live.air_show import AirShow
from matches.live.selectors import GAMES_KEPT, GameConfig, GameSoFar, game_config_read, snapshot_read
from matches.models import Audience, MatchState
from matches.replay.frame_encoding import FrameBatch, FrameEncoder

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MatchUpdate:
    """What a read found; ``attempt`` differs from the last look's if the match began anew."""

    state: str
    attempt: int
    over: bool
    airs: int | None  # T0 of its broadcast, in milliseconds since 1970, while it is on air
    shots: tuple[FrameBatch, ...]


class MatchReader:
    """Read one match repeatedly, and simulate each game once. For one thread at a time."""

    __slots__ = ("_attempt", "_audience", "_films", "_match_id", "_setup", "air")

    def __init__(self, match_id: int, audience: Audience) -> None:
        self._match_id = match_id
        self._audience = audience
        self._setup: GameConfig | None = None
        self._attempt = -1
        self._films: dict[int, FrameEncoder | None] = {}  # None: its log does not replay
        self.air: AirShow | None = None  # while it is on air

    def look(self) -> MatchUpdate | None:
        """Read the database. Return None if there is no such match for this audience."""
        match_id, audience = self._match_id, self._audience
        self._setup = self._setup or game_config_read(match_id=match_id, audience=audience)
        last = max(self._films, default=0)
        story = snapshot_read(match_id=match_id, audience=audience, attempt=self._attempt, game=last)
        if self._setup is None or story is None:
            return None
        if story.attempt != self._attempt:
            self._attempt = story.attempt
            self._films = {}
        show = on_air_read(match_id, audience) if story.state == MatchState.ON_AIR else None
        if show is not None:
            self.air = self.air or AirShow(show, GAMES_KEPT)
            self.air.prepare(show)
            return MatchUpdate(story.state, story.attempt, story.over, show.begins, self.air.due())
        self.air = None
        shots = [shot for game in story.games if (shot := self._shoot(self._setup, game))]
        return MatchUpdate(story.state, story.attempt, story.over, None, tuple(shots))

    def _shoot(self, setup: GameConfig, game: GameSoFar) -> FrameBatch | None:
        try:
            if game.index not in self._films:
                self._films[game.index] = FrameEncoder(
                    game.index, setup.ruleset, setup.players, setup.options, game.seed
                )
                self._films.pop(game.index - GAMES_KEPT, None)
            film = self._films[game.index]
            if film is None:
                return None
            shot = film.extend(game.actions, game.interventions)
        except RecordError:
            logger.exception("live: game %d of match %d does not replay", game.index, self._match_id)
            self._films[game.index] = None
            return None
        return shot if shot.frames else None
