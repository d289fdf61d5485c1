"""The match page and its data, over HTTP."""

import json

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.frames import frames
from games.record import Record
from matches.models import Match, MatchState
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.matches.factories import CRASHES, FinishedMatchFactory, MatchFactory
from tests.matches.live.stories import log_write, match_begin, played

pytestmark = pytest.mark.django_db

SECRET_OF_THE_AUTHOR = "no idea"  # what CRASHES raises


@pytest.fixture
def finished() -> Match:
    return FinishedMatchFactory(blocks=2)


@pytest.fixture
def failed() -> Match:
    """The bot of seat 0 crashes in every game; its author is ``mira``."""
    bot = BotFactory(owner=UserFactory(username="mira"), name="Glass Hen")
    return FinishedMatchFactory(seats=[BotVersionFactory(bot=bot, source=CRASHES), BotVersionFactory()])


def frames_address(match: Match, game: int = 0) -> str:
    return reverse("matches:game-frames", args=[match.pk, game])


def test_the_page_of_a_finished_match_shows_seats_games_and_seeds_to_everyone(client: Client, finished: Match) -> None:
    response = client.get(reverse("matches:detail", args=[finished.pk]))
    assert_clean_page(response)
    page = response.content.decode()
    for seat in finished.seats.all():
        assert seat.version.bot.name in page
        assert reverse("bots:detail", args=[seat.version.bot.slug]) in page
    for game in finished.games.all():
        assert Record.decode(bytes(game.record)).seed.hex() in page
    assert page.count("data-replay-game=") == 4


def test_a_block_is_shown_with_all_its_seatings(client: Client, finished: Match) -> None:
    blocks = client.get(reverse("matches:detail", args=[finished.pk])).context["blocks"]
    assert [[row.order for row in block.rows] for block in blocks] == [[(0, 1), (1, 0)]] * 2
    assert len({block.seed for block in blocks}) == 2


@pytest.mark.parametrize("state", [MatchState.QUEUED, MatchState.RUNNING, MatchState.HELD, MatchState.CANCELLED])
def test_the_seed_of_a_match_that_is_not_finished_is_shown_nowhere(client: Client, state: str) -> None:
    match = match_begin(state=state)
    log_write(match, actions=20)
    seeds = (bytes(match.secret).hex(), played().seed.hex())
    addresses = [reverse(f"matches:{name}", args=[match.pk]) for name in ("detail", "cells", "embed")]
    for address in [*addresses, frames_address(match)]:
        text = client.get(address).content.decode()
        assert not any(seed in text for seed in seeds)


def test_a_page_of_games_holds_whole_blocks(client: Client) -> None:
    match = match_begin(players=2)
    match.games.bulk_create(
        match.games.model(
            match=match, attempt=1, index=index, record=played().encode(), points=[1, 0], places=[1, 2], reason="x"
        )
        for index in range(60)
    )
    address = reverse("matches:detail", args=[match.pk])
    assert len(client.get(address).context["page"]) == 0, "games of a match that goes on were given out"
    Match.objects.filter(pk=match.pk).update(state="finished", finished_at=timezone.now(), lease_expires_at=None)
    assert [len(client.get(address, {"page": page}).context["page"]) for page in (1, 2)] == [48, 12]
    assert client.get(address, {"page": "nonsense"}).status_code == 200


# --- faults: the word is public, the rest is the author's -------------------------------------------------------------
def see_faults(client: Client, match: Match) -> str:
    return client.get(reverse("matches:detail", args=[match.pk])).content.decode()


def test_everyone_sees_that_a_bot_crashed(client: Client, failed: Match) -> None:
    assert "crashed" in see_faults(client, failed)


def test_the_author_sees_the_exception_the_line_the_view_and_the_times(client: Client, failed: Match) -> None:
    client.force_login(failed.seats.get(index=0).version.bot.owner)
    response = client.get(reverse("matches:detail", args=[failed.pk]))
    assert_clean_page(response)
    page = response.content.decode()
    assert SECRET_OF_THE_AUTHOR in page
    assert "ValueError" in page
    assert "&quot;grill&quot;" in page
    assert "Processor time" in page


@pytest.mark.parametrize("who", ["anonymous", "opponent", "outsider", "organiser", "staff", "superuser"])
@pytest.mark.parametrize("page", ["detail", "cells", "embed"])
def test_nobody_else_sees_more_than_the_word(client: Client, failed: Match, who: str, page: str) -> None:
    people = {
        "opponent": lambda: failed.seats.get(index=1).version.bot.owner,
        "outsider": UserFactory,
        "organiser": lambda: UserFactory(is_organiser=True),
        "staff": lambda: UserFactory(is_staff=True),
        "superuser": lambda: UserFactory(is_staff=True, is_superuser=True),
    }
    if who != "anonymous":
        client.force_login(people[who]())
    text = client.get(reverse(f"matches:{page}", args=[failed.pk])).content.decode()
    assert SECRET_OF_THE_AUTHOR not in text
    assert "ValueError" not in text
    assert "&quot;grill&quot;" not in text


# --- frames and records ---------------------------------------------------------------------------------------------
def test_frames_hold_the_whole_game_each_as_what_has_changed(client: Client, finished: Match) -> None:
    record = Record.decode(bytes(finished.games.get(index=1).record))
    data = client.get(frames_address(finished, 1)).json()
    assert (data["game"], data["first"]) == (1, 0)
    view: dict[str, object] = {}
    for packed, frame in zip(data["frames"], frames(record), strict=True):
        view |= packed[5]
        assert [*packed[:5], view] == [frame.actor, frame.action, frame.cause, frame.key, frame.turn, frame.view]


def test_the_browser_caches_frames_of_a_finished_game_by_edition(client: Client, finished: Match) -> None:
    plain = client.get(frames_address(finished))
    assert plain["Cache-Control"] == "no-cache"
    edition = client.get(reverse("matches:detail", args=[finished.pk])).context["player"]["edition"]
    assert "immutable" in client.get(frames_address(finished), {"edition": edition})["Cache-Control"]
    again = client.get(frames_address(finished), headers={"if-none-match": plain["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_frames_of_a_running_game_are_those_so_far_and_never_cached(client: Client) -> None:
    match = match_begin()
    log_write(match, actions=5)
    response = client.get(frames_address(match))
    assert response["Cache-Control"] == "no-store"
    assert 5 < len(response.json()["frames"]) < 20
    assert client.get(frames_address(match, 1)).status_code == 404


@pytest.mark.parametrize("game", [4, 10**30])
def test_a_game_that_was_not_played_is_not_found(client: Client, finished: Match, game: int) -> None:
    assert client.get(frames_address(finished, game)).status_code == 404
    assert client.get(reverse("matches:record", args=[finished.pk, game, "json"])).status_code == 404


def test_the_record_can_be_taken_home_and_verified(client: Client, finished: Match) -> None:
    game = finished.games.get(index=1)
    binary = client.get(reverse("matches:record", args=[finished.pk, 1, "bin"]))
    outcome = Record.decode(binary.content).verify()
    assert [outcome.points[1], outcome.points[0]] == game.points  # game 1 is turned by one seat
    assert binary["Content-Disposition"] == f'attachment; filename="match-{finished.pk}-game-2.bin"'
    data = json.loads(client.get(reverse("matches:record", args=[finished.pk, 1, "json"])).content)
    assert data["actions"] == list(Record.decode(binary.content).actions)
    assert [bot["name"] for bot in data["bots"]] == [seat.version.bot.name for seat in reversed(finished.seats.all())]
    assert client.get(reverse("matches:record", args=[finished.pk, 1, "exe"])).status_code == 404


def test_the_result_is_concealed_once_the_match_is_finished_until_the_player_shows_it(
    client: Client, finished: Match
) -> None:
    """Whether a step in the address is somebody else's, whose link shows the result, is known in the browser alone."""
    address = reverse("matches:detail", args=[finished.pk])
    for query in ("", "?game=2", "?step=x", "?step=0", "?step=12"):
        assert b'data-result tabindex="-1" data-concealed>' in client.get(address + query).content
    waiting = reverse("matches:detail", args=[MatchFactory().pk])
    assert b"data-concealed" not in client.get(waiting).content


# --- embed ------------------------------------------------------------------------------------------------------------
def test_only_the_embedded_player_may_be_framed_by_others(client: Client, finished: Match) -> None:
    embedded = client.get(reverse("matches:embed", args=[finished.pk]))
    assert_clean_page(embedded)
    assert "frame-ancestors *" in embedded["Content-Security-Policy"]
    assert "script-src 'self'" in embedded["Content-Security-Policy"]
    assert "X-Frame-Options" not in embedded
    page = client.get(reverse("matches:detail", args=[finished.pk]))
    assert "frame-ancestors 'none'" in page["Content-Security-Policy"]
    assert page["X-Frame-Options"] == "DENY"


def test_a_name_cannot_break_out_of_the_data_for_the_player(client: Client) -> None:
    version = BotVersionFactory(bot=BotFactory(name="</script><script>alert(1)"))
    match = MatchFactory(seats=[version, BotVersionFactory()])
    response = client.get(reverse("matches:detail", args=[match.pk]))
    assert_clean_page(response)
    assert b"<script>alert(1)" not in response.content


# --- list -------------------------------------------------------------------------------------------------------------
def test_the_list_is_filtered_by_its_address(client: Client, finished: Match) -> None:
    waiting = MatchFactory()
    name = waiting.seats.get(index=0).version.bot.name

    def shown(**query: str) -> set[int]:
        response = client.get(reverse("matches:list"), query)
        assert_clean_page(response)
        return {match.pk for match in response.context["page"]}

    assert shown() == {finished.pk, waiting.pk}
    assert shown(state="finished") == {finished.pk}
    assert shown(bot=name) == {waiting.pk}
    assert shown(bot="no such bot") == set()
    assert shown(state="nonsense", page="-7") == {finished.pk, waiting.pk}


def test_the_list_reads_no_code_and_takes_as_many_queries_for_many_matches_as_for_one(
    client: Client, django_assert_max_num_queries: object
) -> None:
    for _ in range(5):
        MatchFactory()
    with django_assert_max_num_queries(6) as queries:  # type: ignore[operator]
        client.get(reverse("matches:list"))
    assert not any("package" in query["sql"] for query in queries.captured_queries)


def test_a_match_that_does_not_exist_is_not_found(client: Client) -> None:
    for name in ("detail", "cells", "embed"):
        assert client.get(reverse(f"matches:{name}", args=[10**30])).status_code == 404


@pytest.mark.parametrize(
    ("scores", "forfeited", "wins"),
    [((2, 1), (), 0), ((1, 2), (), 1), ((1, 1), (), None), ((2, 1), (0,), 1), ((2, 1), (0, 1), None)],
)
def test_the_result_is_headed_by_who_has_won(
    client: Client, scores: tuple[int, int], forfeited: tuple[int, ...], wins: int | None
) -> None:
    match = FinishedMatchFactory()
    for index, score in enumerate(scores):
        match.seats.filter(index=index).update(score=score, has_forfeited=index in forfeited)
    page = client.get(reverse("matches:detail", args=[match.pk])).content.decode()
    heading = page.partition('id="match-result"')[2].partition("<h2>")[2].partition("</h2>")[0]
    assert heading == ("Result" if wins is None else f"{match.seat_names[wins]} wins")
