"""What bots say of their decisions in a game, for those who may read it."""

from collections.abc import Iterator

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Q

from bots.models import Bot, VersionState
from games.explanation import MoveExplanation
from matches.bot_history.logs import steps_of_games
from matches.models import Game, Match, MatchState, SeatNotes
from matches.queue.seat_notes import notes_unpacked
from matches.replay.seat_decisions import StepNote, step_notes
from matches.visibility import authors_may_look, runs_match
from teams.selectors import owner_keys


def own_notes_of(bot: Bot) -> Iterator[tuple[int, int, int, MoveExplanation]]:
    """Yield the match, the game, the number of actions before and what the bot said, of finished matches that its
    author may look at."""
    shown = authors_may_look(bot.owner_id, "seat__match__")
    rows = SeatNotes.objects.filter(shown, bot=bot, seat__match__state=MatchState.FINISHED).select_related("seat")
    for row in rows.order_by("pk").iterator(100):
        for game, notes in notes_unpacked(bytes(row.content)):
            for played, said in notes:
                yield row.seat.match_id, game, played, said


def notes_of(user: AbstractBaseUser | AnonymousUser, match: Match, game: Game) -> list[StepNote]:
    """Return in the order of the steps what ``user`` may read of a finished game that is shown to them: of their own
    bots and of those whose notes are public, and all of it if they run the match."""
    rows = SeatNotes.objects.filter(seat__match=match, first_game__lte=game.index, last_game__gte=game.index)
    rows = rows.filter(bot__deleted_at__isnull=True).exclude(seat__version__state=VersionState.DELETED)
    if not runs_match(user, match):
        rows = rows.filter(Q(bot__notes_shown=True) | Q(bot__is_house=True) | Q(bot__owner__in=owner_keys(user)))
    found = {row.seat.index: dict(notes_unpacked(bytes(row.content))) for row in rows.select_related("seat")}
    where = (match.pk, game.index)
    steps = steps_of_games({where}).get(where, ()) if found else ()
    return step_notes(steps, {seat: games.get(game.index, ()) for seat, games in found.items()})
