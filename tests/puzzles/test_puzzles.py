from typing import Any
from unittest.mock import patch

import pytest
from django.core.cache import cache
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse

from arena.accounts.models import User
from games.catalogue import GAMES
from games.table import Table
from luck import UNIT, luck_value_of
from puzzles.making import CLEAR, FROM_A_GAME, puzzle_making_from_play, puzzle_making_is_open, puzzle_making_is_possible
from puzzles.models import FIRST_RATING, Puzzle, PuzzleAnswer, PuzzleRating
from puzzles.selectors import next_puzzle
from puzzles.services import NoSuchAction, puzzle_answer_submit, puzzles_tend
from tests.arena.factories import UserFactory
from tests.bots.test_permissions import token_of
from tests.puzzles.factories import FIELDS, puzzle_of
from tests.racing import at_once, on_postgres

pytestmark = pytest.mark.django_db
PLAYED = bytes(range(16))


def page_of(puzzle: Puzzle, person: User | None = None, **query: str) -> str:
    client = Client()
    if person:
        client.force_login(person)
    return client.get(reverse("puzzles:detail", args=[puzzle.pk]), query).content.decode()


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if luck_value_of(game.current.id)])
def test_a_puzzle_has_one_best_action_that_a_house_bot_missed(name: str) -> None:
    made = puzzle_making_from_play(GAMES[name], PLAYED)
    assert 0 < len(made) <= FROM_A_GAME
    for one in made:
        values = dict(one.options)
        assert set(values) == set(one.actions)
        assert one.played in values
        assert one.played != one.best
        assert min(one.lost(action) for action in values if action != one.best) >= CLEAR
        assert one.view["you"] == one.view["actor"] == one.seat
    assert len({one.digest for one in made}) == len(made)


def test_a_game_without_a_value_has_no_puzzles() -> None:
    assert not luck_value_of(GAMES["karteneck"].current.id)
    assert puzzle_making_from_play(GAMES["karteneck"], PLAYED) == []


def test_a_position_with_secrets_is_no_puzzle() -> None:
    ruleset = GAMES["karteneck"].current
    state = Table(ruleset, 2, ruleset.validate(2, {}), PLAYED).state
    assert not puzzle_making_is_open(state.view(state.actor), state.view(None))
    assert puzzle_making_is_open({**state.view(None), "you": 0, "actions": ["pass"]}, state.view(None))


def test_no_game_with_secrets_is_played_for_puzzles() -> None:
    cards, game = GAMES["karteneck"], GAMES["pickomino"]
    with patch("puzzles.making.luck_value_of", return_value="exact"):
        assert not puzzle_making_is_possible(cards)
        assert puzzle_making_is_possible(game)
        with (
            patch("puzzles.services.GAMES", {"karteneck": cards}),
            patch("puzzles.services.puzzle_making_from_play") as made,
        ):
            assert puzzles_tend() == 0
    made.assert_not_called()


def test_the_stock_is_filled_to_its_end_and_no_position_twice() -> None:
    only = {name: GAMES[name] for name in ("karteneck", "pickomino")}
    played = patch("puzzles.services.secrets.token_bytes", return_value=PLAYED)  # a game that gives three
    with patch("puzzles.services.GAMES", only), patch("puzzles.services.STOCK", 2), played:
        assert puzzles_tend() == 2
        assert puzzles_tend() == 0
        made = list(Puzzle.objects.all())
        fresh = [Puzzle(**{name: getattr(one, name) for name in (*FIELDS, "digest")}) for one in made]
        with patch("puzzles.services.STOCK", 5), patch("puzzles.services.puzzle_making_from_play", return_value=fresh):
            assert puzzles_tend() == 0
    assert list(Puzzle.objects.all()) == made


def test_a_game_that_gives_no_puzzles_holds_up_no_other() -> None:
    def made(game: Any, _seed: bytes) -> list[Puzzle]:
        number = Puzzle.objects.count()
        fields = {name: getattr(puzzle, name) for name in FIELDS} | {"ruleset": game.current.id}
        return [] if game.name == dry else [Puzzle(**fields, digest=bytes([number] * 32))]

    dry, *others = (name for name, game in GAMES.items() if luck_value_of(game.current.id))
    puzzle = puzzle_of(ruleset="another/1")
    always = patch("puzzles.services.SELDOM", 1)
    with patch("puzzles.services.STOCK", 3), patch("puzzles.services.puzzle_making_from_play", made), always:
        for _ in range(200):  # one in four finds a game that gives some, until there are enough
            puzzles_tend()
    assert Puzzle.objects.count() == 3 * len(others) + 1


def test_a_game_whose_house_bots_never_err_is_played_seldom_once_the_others_have_all() -> None:
    only = {name: GAMES[name] for name in ("karteneck", "pickomino", "heckmeck")}
    drawn = patch("puzzles.services.secrets.randbelow", side_effect=[7, 0])
    play = patch("puzzles.services.puzzle_making_from_play", return_value=[])
    with patch("puzzles.services.GAMES", only), patch("puzzles.services.STOCK", 2), drawn, play as played:
        for number in range(2):
            puzzles_tend()
            assert played.call_count == number + 1
            puzzle_of(ruleset=GAMES["pickomino"].current.id)  # the first of them, then all
        puzzles_tend()
        assert played.call_count == 2
        puzzles_tend()
        assert [call.args[0].name for call in played.call_args_list[2:]] == ["heckmeck"]


def test_the_first_answer_counts_and_moves_both_ratings() -> None:
    puzzle, person = puzzle_of(), UserFactory()
    first = puzzle_answer_submit(person=person, puzzle=puzzle, action=puzzle.best)
    again = puzzle_answer_submit(person=person, puzzle=puzzle, action=puzzle.played)
    assert (again.pk, again.action, again.lost) == (first.pk, puzzle.best, 0)
    rating = PuzzleRating.objects.get(person=person, game="pickomino")
    assert (rating.answers, rating.solved) == (1, 1)
    assert rating.rating == pytest.approx(FIRST_RATING + first.change)
    assert first.change > 0
    puzzle.refresh_from_db()
    assert (puzzle.answers, puzzle.solved) == (1, 1)
    assert puzzle.rating < FIRST_RATING
    missed = puzzle_answer_submit(person=UserFactory(), puzzle=puzzle, action=puzzle.played)
    assert missed.lost == puzzle.lost(puzzle.played) >= CLEAR
    assert missed.change < 0
    with pytest.raises(NoSuchAction, match="not possible here"):
        puzzle_answer_submit(person=person, puzzle=puzzle, action="<b>")
    with pytest.raises(IntegrityError):
        PuzzleAnswer.objects.create(person=person, puzzle=puzzle, action="roll", lost=0, change=0)


@on_postgres
@pytest.mark.django_db(transaction=True)
def test_answers_at_once_count_once_for_each_person() -> None:
    puzzle, people = puzzle_of(), [UserFactory(), UserFactory()]
    given = at_once(
        lambda number: puzzle_answer_submit(
            person=people[number % 2], puzzle=puzzle, action=puzzle.actions[number // 4]
        ),
        8,
    )
    assert len({one.pk for one in given}) == 2
    puzzle.refresh_from_db()
    assert puzzle.answers == 2
    for rating in PuzzleRating.objects.all():
        own = PuzzleAnswer.objects.get(person=rating.person_id)
        assert rating.answers == 1
        assert rating.rating == pytest.approx(FIRST_RATING + own.change)


def test_a_user_gets_the_unanswered_puzzle_that_fits_and_a_visitor_the_next() -> None:
    easy, middle, hard = (puzzle_of(rating=rating) for rating in (1200, 1500, 1900))
    person = UserFactory()
    assert next_puzzle("pickomino", person) == middle
    puzzle_answer_submit(person=person, puzzle=middle, action=middle.played)
    assert next_puzzle("pickomino", person) == easy
    for one in (easy, hard):
        puzzle_answer_submit(person=person, puzzle=one, action=one.best)
    assert next_puzzle("pickomino", person) is None
    client = Client()
    assert client.get(reverse("puzzles:next", args=["pickomino"]))["Location"] == f"/puzzles/{easy.pk}/"
    assert f'href="/puzzles/{hard.pk}/"' in page_of(middle, answer=middle.best)
    assert f'href="/puzzles/{easy.pk}/"' in page_of(hard, answer=hard.best)


def test_a_visitor_sees_what_actions_are_worth_after_choosing_and_nothing_is_stored() -> None:
    puzzle = puzzle_of()
    page = page_of(puzzle)
    assert 'method="get"' in page
    assert "compared with" not in page
    assert all(f'value="{action}"' in page for action in puzzle.actions)
    assert "<svg" in page
    address = reverse("puzzles:detail", args=[puzzle.pk])
    for forged in ('"><script>', "", f"{puzzle.best} "):  # none has a page of its own
        answer = Client().get(address, {"answer": forged})
        assert (answer.status_code, answer["Location"]) == (302, address)
    missed = page_of(puzzle, answer=puzzle.played)
    assert f"{100 * puzzle.lost(puzzle.played) / UNIT:.1f} of 100 points" in missed
    assert "Solved." in page_of(puzzle, answer=puzzle.best)
    assert not PuzzleAnswer.objects.exists()
    assert not PuzzleRating.objects.exists()


def test_a_user_answers_once_and_is_the_only_one_to_see_the_rating() -> None:
    cache.clear()
    puzzle, person, other = puzzle_of(), UserFactory(), UserFactory()
    assert "Not the best" not in page_of(puzzle, person, answer=puzzle.played)
    client = Client()
    client.force_login(person)
    address = reverse("puzzles:detail", args=[puzzle.pk])
    wrong = client.post(address, {"answer": "fly"}, follow=True).content.decode()
    assert "not possible here" in wrong
    assert not PuzzleAnswer.objects.exists()
    for answer in (puzzle.played, puzzle.best):
        assert client.post(address, {"answer": answer})["Location"] == address
    page = client.get(address).content.decode()
    rating = round(PuzzleRating.objects.get(person=person).rating)
    assert "Not the best" in page
    assert f"rating is {rating}" in page
    assert "Not the best" not in page_of(puzzle, other)
    assert f"rating is {rating}" not in page_of(puzzle, other)
    listed = client.get(reverse("puzzles:list")).content.decode()
    assert ">missed<" in listed
    assert f"rating {rating}" in listed
    assert ">missed<" not in Client().get(reverse("puzzles:list"), {"game": "pickomino"}).content.decode()
    with patch("puzzles.views.ANSWERS_MOST", "1/m/user"):
        assert [client.post(address, {"answer": puzzle.best}).status_code for _ in range(2)] == [302, 429]
    cache.clear()


def test_a_program_reads_a_puzzle_and_answers_it_once() -> None:
    puzzle, person = puzzle_of(), UserFactory()
    headers: Any = {"headers": {"authorization": f"Token {token_of(person)}"}, "content_type": "application/json"}
    client, address = Client(), f"/api/puzzles/{puzzle.pk}/"
    assert [one["id"] for one in client.get("/api/puzzles/?game=pickomino").json()["results"]] == [puzzle.pk]
    shown = client.get(address, **headers).json()
    assert shown["actions"] == puzzle.actions
    assert "options" not in shown
    assert "best" not in shown
    assert client.get(f"{address}answer/", **headers).status_code == 404
    assert client.post(f"{address}answer/", {"action": puzzle.best}).status_code == 401
    refused = client.post(f"{address}answer/", {"action": "fly"}, **headers)
    assert refused.status_code == 400
    assert "illegal_action" in refused.content.decode()
    answer = client.post(f"{address}answer/", {"action": puzzle.played}, **headers).json()
    assert (answer["action"], answer["best"]) == (puzzle.played, puzzle.best)
    assert answer["options"][0] == {"action": puzzle.best, "worth": puzzle.options[0][1] / UNIT, "lost": 0}
    assert answer["rating"] == pytest.approx(FIRST_RATING + answer["change"])
    assert client.post(f"{address}answer/", {"action": puzzle.best}, **headers).json() == answer
    assert client.get(f"{address}answer/", **headers).json() == answer
