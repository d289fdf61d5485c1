"""Write puzzles: fill the stock, and store answers."""

import secrets
from typing import Any, Final

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import Count, F
from django.utils.translation import gettext as _

from games.catalogue import GAMES
from puzzles.making import puzzle_making_from_play, puzzle_making_is_possible
from puzzles.models import Puzzle, PuzzleAnswer, PuzzleRating
from ratings.scale import elo_change

STOCK: Final = 200  # puzzles for each ruleset
SELDOM: Final = 60  # one in so many runs retries rulesets without puzzles


def puzzles_tend() -> int:
    """Play a game of a ruleset that has fewer than ``STOCK`` puzzles, and store the puzzles that it gives.

    Return the number of new puzzles. The ruleset is drawn at random, weighted by the number of missing puzzles. So a
    ruleset whose games give no puzzles, or whose bots fail, does not block the others. If only rulesets without any
    puzzle are left, their house bots probably make no clear mistakes. But a ruleset may also be new, so one in
    ``SELDOM`` runs tries them.

    Raises:
        HouseBotError: a house bot failed.
    """
    counts = dict(Puzzle.objects.order_by().values_list("ruleset").annotate(Count("pk")))
    lacking = {game: lacks for game in GAMES.values() if (lacks := STOCK - counts.get(game.current.id, 0)) > 0}
    have_none = not any(game.current.id in counts for game in lacking)
    if have_none and len(lacking) < len(GAMES) and secrets.randbelow(SELDOM):
        return 0
    while lacking:
        game = secrets.SystemRandom().choices(list(lacking), weights=list(lacking.values()))[0]
        if puzzle_making_is_possible(game):  # a check without playing
            break
        del lacking[game]
    else:
        return 0
    fresh = puzzle_making_from_play(game, secrets.token_bytes(16))[: lacking[game]]
    known = Puzzle.objects.filter(digest__in=[one.digest for one in fresh]).values_list("digest", flat=True)
    new = [one for one in fresh if one.digest not in set(map(bytes, known))]
    Puzzle.objects.bulk_create(new, ignore_conflicts=True)  # a concurrent run may have made the same puzzles
    return len(new)


def puzzle_answer_submit(*, person: AbstractUser, puzzle: Puzzle, action: str) -> PuzzleAnswer:
    """Store the answer of ``person``, and change both ratings. Return the first answer, which is the one that counts.

    Ratings are changed by increments, so the order of concurrent answers does not matter.

    Raises:
        NoSuchAction: ``action`` is not legal at this position.
    """
    if action not in puzzle.actions:
        raise NoSuchAction(action, puzzle.actions)
    lost = puzzle.lost(action)
    with transaction.atomic():
        mine, _made = PuzzleRating.objects.get_or_create(person_id=person.pk, game=puzzle.game)
        mine = PuzzleRating.objects.select_for_update().get(pk=mine.pk)  # a second answer waits for the first
        if first := PuzzleAnswer.objects.filter(person=person.pk, puzzle=puzzle).first():
            return first
        now = Puzzle.objects.select_for_update().only("rating", "answers").get(pk=puzzle.pk)
        share = float(lost == 0)
        own = elo_change(mine.rating, now.rating, share, mine.answers)
        other = elo_change(now.rating, mine.rating, 1 - share, now.answers)
        answer = PuzzleAnswer.objects.create(person_id=person.pk, puzzle=puzzle, action=action, lost=lost, change=own)
        counted = {"answers": F("answers") + 1, "solved": F("solved") + int(share)}
        PuzzleRating.objects.filter(pk=mine.pk).update(rating=F("rating") + own, **counted)
        Puzzle.objects.filter(pk=puzzle.pk).update(rating=F("rating") + other, **counted)
    return answer


class NoSuchAction(ValueError):
    """Raised if the action is not legal at the position of the puzzle."""

    def __init__(self, action: str, actions: Any) -> None:
        detail = _("%(action)s is not possible here. Choose one of: %(actions)s.")
        super().__init__(detail % {"action": action[:40], "actions": ", ".join(actions)})
