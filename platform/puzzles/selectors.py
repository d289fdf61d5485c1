"""Read puzzles: lists, the next puzzle for a person, actions with their worth, boards."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Abs
from django.templatetags.static import static
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from games.catalogue import GAMES
from games.picture import PicturePlayer, picture_board
from luck import UNIT
from matches.pages.player import player_board_file, player_board_parts, player_choices_file
from puzzles.models import FIRST_RATING, Puzzle, PuzzleAnswer, PuzzleRating
from web.optional import optional


@dataclass(frozen=True, slots=True)
class GameOfPuzzles:
    """A game with puzzles. ``rating`` is the person's rating; None before the first answer."""

    name: str
    title: str
    colour: str
    puzzles: int
    rating: PuzzleRating | None


@dataclass(frozen=True, slots=True)
class ActionShown:
    """An action of a puzzle for its page.

    ``share`` and ``lost`` are in percentage points. The page shows them only after an answer.
    """

    action: str
    meaning: str
    share: float
    lost: float
    is_best: bool
    is_chosen: bool
    is_played: bool


def puzzles_shown() -> QuerySet[Puzzle]:
    """Return the puzzles of installed games, hardest first."""
    return Puzzle.objects.filter(game__in=GAMES).order_by("-rating", "pk")


def puzzles_with_answers_of(puzzles: QuerySet[Puzzle], person: Any) -> QuerySet[Puzzle]:
    """Return ``puzzles`` with ``lost_by_me``, the loss of the person's answer; None if the person has not answered."""
    own = PuzzleAnswer.objects.filter(puzzle=OuterRef("pk"), person=person.pk)
    return puzzles.annotate(lost_by_me=Subquery(own.values("lost")[:1]))


def games_with_puzzles(person: Any) -> list[GameOfPuzzles]:
    """Return the games that have puzzles, with the person's ratings."""
    counts = dict(puzzles_shown().order_by().values_list("game").annotate(Count("pk")))
    own = {one.game: one for one in PuzzleRating.objects.filter(person=person.pk)} if person.pk else {}
    return [
        GameOfPuzzles(name, gettext(game.title), game.colour, counts[name], own.get(name))
        for name, game in GAMES.items()
        if name in counts
    ]


def puzzle_answer_of(puzzle: Puzzle, person: Any) -> PuzzleAnswer | None:
    """Return the answer of ``person``; None if there is none."""
    return PuzzleAnswer.objects.filter(puzzle=puzzle, person=person.pk).first() if person.pk else None


def next_puzzle(game: str, person: Any, after: int = 0) -> Puzzle | None:
    """Return the next puzzle of ``game`` for a person.

    It is the unanswered puzzle with the rating nearest to that of ``person``. Anonymous visitors get the puzzle with
    the next id after ``after``; after the last puzzle, they get the first one again.
    """
    of_game = puzzles_shown().filter(game=game)
    if isinstance(person, AnonymousUser):
        return of_game.filter(pk__gt=after).order_by("pk").first() or of_game.order_by("pk").first()
    own = PuzzleRating.objects.filter(person=person.pk, game=game).values_list("rating", flat=True).first()
    open_ones = of_game.filter(~Q(pk__in=PuzzleAnswer.objects.filter(person=person.pk).values("puzzle")))
    return open_ones.order_by(Abs(F("rating") - (FIRST_RATING if own is None else own)), "pk").first()


def puzzle_actions_shown(puzzle: Puzzle, chosen: str) -> Sequence[ActionShown]:
    """Return the actions of a puzzle, in the order of the rules. With ``chosen``, they are sorted by worth."""
    values = dict(puzzle.options)
    game = GAMES[puzzle.game]
    return [
        ActionShown(
            action,
            gettext(meaning) if (meaning := game.meaning_of(action)) else "",
            100 * values[action] / UNIT,
            100 * puzzle.lost(action) / UNIT,
            action == puzzle.best,
            action == chosen,
            action == puzzle.played,
        )
        for action in (values if chosen else puzzle.actions)
    ]


def puzzle_board_parts_of(puzzle: Puzzle) -> dict[str, Any]:
    """Return the data with which the page's script draws the position, and puts the actions into words."""
    choices = player_choices_file(puzzle.game)
    seats = [{"name": name, "version": None} for name in _seat_names(puzzle)]
    return {
        **player_board_parts(puzzle.game),
        "choices": static(choices) if choices else "",
        "seats": seats,
        "table": puzzle.board,
        "view": puzzle.view,
    }


def puzzle_texts_query(puzzle: Puzzle) -> str:
    """Return the query of the translated script texts (``web.bundles``) for the page of ``puzzle``."""
    bundles = filter(None, ["site/js/site.js", player_board_file(puzzle.game), player_choices_file(puzzle.game)])
    return "".join(f"&of={bundle}" for bundle in bundles)


def _seat_names(puzzle: Puzzle) -> list[str]:
    return [_("Your seat") if seat == puzzle.seat else _("Opponent") for seat in range(len(puzzle.bots))]


@optional("board of a puzzle", lambda *_given: "")
def puzzle_board_svg(puzzle: Puzzle) -> str:
    """Return the table as SVG, which is safe to put into a page."""
    players = [PicturePlayer(name, seat) for seat, name in enumerate(_seat_names(puzzle))]
    return GAMES[puzzle.game].picture(puzzle.board, players, translate=gettext)


@optional("small board of a puzzle", lambda *_given: "")
def puzzle_board_small(puzzle: Puzzle) -> str:
    """Return only the middle of the table as SVG, for a list."""
    return picture_board(GAMES[puzzle.game].draw, puzzle.board, range(len(puzzle.bots)))
