"""Sparring: private, never rated, within bounds; and what it has shown, in words and figures."""

from datetime import timedelta
from typing import Any
from unittest.mock import Mock, patch

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.accounts.deletion import person_delete
from arena.accounts.tokens import token_create
from bots.deletion import bot_delete
from bots.models import BotVersion
from games.catalogue import GAMES
from games.protocol import PlatformFault
from kit import spar_command
from matches.models import Account, Audience, Match, MatchState, Seat, Sparring
from matches.queue.accounts import account_for
from matches.queue.claims import _accounts_next, claim_take
from matches.queue.leases import lease_return, lease_take, leases_expire
from matches.selectors import matches_list
from matches.services import match_cancel, match_release, match_restore
from matches.sparring.errors import SparringRefused
from matches.sparring.selectors import seconds_used, verdict_of
from matches.sparring.services import sparring_create, sparring_stop, sparrings_tend
from matches.sparring.words import figures_sentence, verdict_sentence
from matches.tasks import sweep
from matches.worker.heartbeat import LeaseLost
from matches.worker.playing import work_play
from tests.arena.factories import UserFactory
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.matches.factories import BRISK, CRASHES, FinishedMatchFactory, MatchFactory
from tests.matches.in_process import InProcessCage
from tournaments.peck import main

pytestmark = pytest.mark.django_db
GOOD = GAMES["pickomino"].house_bots[0].source()


@pytest.fixture(autouse=True)
def _no_broker(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.LEASE_SECONDS = 1000  # a heartbeat's own connection cannot see what a test has not committed
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    monkeypatch.setattr("matches.worker.playing.worker_cage", InProcessCage)
    monkeypatch.setattr("matches.tasks.wake", lambda *_args: None)


@pytest.fixture
def old() -> BotVersion:
    return BotVersionFactory(source=BRISK)


@pytest.fixture
def new(old: BotVersion) -> BotVersion:
    return BotVersionFactory(bot=old.bot, source=GOOD)


def spar(version: BotVersion, opponent: BotVersion, **more: Any) -> Match:
    made = sparring_create(author=version.bot.owner, version=version, opponent=opponent, **{"blocks": 2, **more})
    return made.match


def played(match: Match) -> Match:
    while work_play():
        pass
    match.refresh_from_db()
    assert match.state == MatchState.FINISHED
    return match


def refused(author: Any, version: BotVersion, opponent: BotVersion, **more: Any) -> tuple[str, str]:
    with pytest.raises(SparringRefused) as error:
        sparring_create(author=author, version=version, opponent=opponent, **{"blocks": 2, **more})
    assert str(error.value)
    return error.value.code, error.value.field


def client_of(person: Any) -> Client:
    client = Client()
    if person:
        client.force_login(person)
    return client


def test_a_better_version_is_found_to_be_better_and_the_page_says_so(new: BotVersion, old: BotVersion) -> None:
    match = played(spar(new, old, blocks=100, stopping={"effect": 0.1, "error": 0.05}))
    verdict = verdict_of(match)
    assert (verdict.answer, match.ending) == ("better", "first_better")
    assert verdict.blocks == match.blocks_played
    assert verdict.low is not None
    assert verdict.share is not None
    assert verdict.low > 0.5
    page = " ".join(client_of(new.bot.owner).get(reverse("matches:detail", args=[match.pk])).content.decode().split())
    name = new.bot.name
    assert f"{name} v2 is better than {name} v1." in page
    assert figures_sentence(verdict) in page
    assert f"{100 * verdict.share:.1f} % of the opponents beaten" in page
    other = played(spar(old, new, blocks=100, stopping={"effect": 0.1, "error": 0.05}))
    assert verdict_of(other).answer == "worse"


def test_against_itself_and_at_larger_tables_it_may_play_too(new: BotVersion, old: BotVersion) -> None:
    alike = played(spar(old, old, blocks=4))
    assert verdict_of(alike).answer == "undecided", "too few blocks, and equals"
    table = played(spar(new, old, players=3, blocks=8))
    assert [seat.version for seat in table.seats.order_by("index")] == [new, old, old]
    assert verdict_of(table).games == 24
    house = BotVersionFactory(bot=BotFactory(is_house=True), source=BRISK)
    assert played(spar(new, house)).audience == Audience.AUTHORS


@pytest.mark.parametrize(
    ("places", "answer"),
    [(([1] * 16, [2] * 16), "better"), (([2] * 16, [1] * 16), "worse"), (([1, 2] * 8, [2, 1] * 8), "undecided")],
)
def test_of_a_fixed_number_of_blocks_the_interval_tells(places: Any, answer: str, new: BotVersion, old: Any) -> None:
    match = spar(new, old, blocks=8)
    for index, own in enumerate(places):
        Seat.objects.filter(match=match, index=index).update(places=own)
    Match.objects.filter(pk=match.pk).update(state="finished", finished_at=timezone.now(), blocks_played=8)
    verdict = verdict_of(Match.objects.get(pk=match.pk))
    assert verdict.answer == answer
    Match.objects.filter(pk=match.pk).update(ending="too_close")
    assert verdict_of(Match.objects.get(pk=match.pk)).answer == "too_close"


def test_a_bot_that_forfeits_has_shown_nothing(old: BotVersion) -> None:
    crasher = BotVersionFactory(bot=old.bot, source=CRASHES)
    match = played(spar(crasher, old))
    assert verdict_of(match).answer == "forfeited"
    assert "nothing is known of strength" in verdict_sentence(match, verdict_of(match))


def test_nobody_else_sees_it_and_no_list_has_it(new: BotVersion, old: BotVersion) -> None:
    match = played(spar(new, old))
    owner, staff, other = new.bot.owner, UserFactory(is_staff=True), BotVersionFactory().bot.owner
    organiser = UserFactory(is_organiser=True)
    for name in ("matches:detail", "matches:cells", "matches:embed", "matches:file", "api-matches:detail"):
        address = reverse(name, args=[match.pk])
        for person in (None, other, organiser):
            assert client_of(person).get(address).status_code == 404, name
        if not name.startswith("api"):
            assert {client_of(one).get(address).status_code for one in (owner, staff)} == {200}
    assert not matches_list().filter(pk=match.pk).exists()
    for address in ("/matches/", reverse("bots:detail", args=[new.bot.slug]), "/watch/", "/"):
        for person in (None, owner, staff):
            assert f"/matches/{match.pk}/" not in client_of(person).get(address).content.decode(), address
    assert client_of(other).get(reverse("bots:spar", args=[new.bot.slug])).status_code == 404
    assert client_of(staff).get(reverse("bots:spar", args=[new.bot.slug])).status_code == 404
    assert f"/matches/{match.pk}/" in client_of(owner).get(reverse("bots:spar", args=[new.bot.slug])).content.decode()
    assert (
        "private match"
        not in client_of(None).get(reverse("matches:detail", args=[FinishedMatchFactory().pk])).content.decode()
    )


def test_who_may_not_spar_with_whom(new: BotVersion, old: BotVersion) -> None:
    author, stranger = new.bot.owner, BotVersionFactory()
    assert refused(author, new, stranger) == ("not_yours", "opponent")
    assert refused(stranger.bot.owner, new, old) == ("not_yours", "opponent")
    assert refused(author, stranger, new) == ("not_yours", "opponent")
    waiting = BotVersionFactory(bot=old.bot, open=True)
    assert refused(author, waiting, old) == ("not_accepted", "version")
    assert refused(author, old, waiting) == ("not_accepted", "opponent_version")
    cards = BotVersionFactory(bot=BotFactory(owner=author, game="karteneck"))
    assert refused(author, new, cards) == ("other_game", "opponent")
    for terms, field in (
        ({"blocks": 0}, "blocks"),
        ({"blocks": 501}, "blocks"),
        ({"players": 8}, "players"),
        ({"players": 1}, "players"),
        ({"ruleset": "nonsense/1"}, "ruleset"),
        ({"options": {"nonsense": 1}}, "options"),
        ({"blocks": 100, "players": 3, "stopping": {"effect": 0.1}}, "stopping"),
        ({"blocks": 100, "stopping": {"effect": 7}}, "stopping"),
        ({"blocks": 2, "stopping": {"effect": 0.1}}, "blocks"),
    ):
        assert refused(author, new, old, **terms) == ("invalid", field)
    assert refused(author, new, old, ruleset="karteneck/1") == ("other_game", "ruleset")
    assert not Match.objects.exists()
    assert not Sparring.objects.exists()


def test_an_author_has_so_many_at_a_time(new: BotVersion, old: BotVersion, settings: Any) -> None:
    settings.SPARRING_OPEN_MOST = 2
    first, _second = spar(new, old), spar(new, old)
    assert refused(new.bot.owner, new, old) == ("too_many", "")
    another = BotVersionFactory()
    spar(another, another)
    assert sparring_stop(sparring=first.sparring)
    assert not sparring_stop(sparring=first.sparring)
    spar(new, old)


def test_an_author_has_so_much_time_and_what_waits_goes_on_by_itself(
    new: BotVersion, old: BotVersion, settings: Any
) -> None:
    settings.SPARRING_MINUTES_MOST = 1
    used, waits = spar(new, old), spar(new, old)
    Match.objects.filter(pk=used.pk).update(duration_ms=60_000)
    another = BotVersionFactory()
    others = spar(another, another)
    for _twice in range(2):
        sweep()
        assert [Match.objects.get(pk=one.pk).state for one in (used, waits, others)] == ["held", "held", "queued"]
    page = client_of(new.bot.owner).get(reverse("matches:detail", args=[waits.pk])).content.decode()
    assert "It waits: your sparring has used up its time" in page
    assert refused(new.bot.owner, new, old) == ("no_time", "")
    assert sparring_stop(sparring=used.sparring), "calling it off gives back no time"
    assert refused(new.bot.owner, new, old) == ("no_time", "")
    yesterday = timezone.now() - timedelta(hours=25)
    Sparring.objects.filter(pk=used.pk).update(created_at=yesterday)
    Match.objects.filter(pk=waits.pk).update(platform_faults=1, last_platform_fault="once")
    sweep()
    assert Match.objects.get(pk=waits.pk).state == "queued"
    Match.objects.filter(pk=waits.pk).update(state="held", platform_faults=5)
    sweep()
    assert Match.objects.get(pk=waits.pk).state == "held", "what the platform fails with is for staff to look at"


def wasted(match: Match, how: str) -> None:
    """Let a worker play at the match for some time, and lose it in one of the ways there are."""
    clock = iter(float(10 * n) for n in range(10_000))

    def played(*_args: Any, **_more: Any) -> Any:
        if how == "called off":
            sparring_stop(sparring=match.sparring)
            raise LeaseLost
        if how == "bot deleted":
            bot_delete(bot=match.seats.first().version.bot)
            sparrings_tend()
            raise LeaseLost
        raise PlatformFault("void")

    if how == "worker silent":
        lease_take(match_ids=[match.pk], worker="one")
        Match.objects.filter(pk=match.pk).update(lease_expires_at=timezone.now() - timedelta(hours=1))
        assert leases_expire() == 1
        return
    with (
        patch("matches.worker.playing.games_played", played),
        patch("matches.worker.playing.time", Mock(monotonic=lambda: next(clock))),
    ):
        assert work_play()


@pytest.mark.parametrize("how", ["called off", "bot deleted", "platform fault", "worker silent"])
def test_a_worker_costs_its_time_however_the_match_ends(new: BotVersion, old: BotVersion, how: str) -> None:
    author, match = new.bot.owner.pk, spar(new, old)
    account = Account.objects.get(pk=match.account_id)
    wasted(match, how)
    used = seconds_used(author)
    assert used >= 10
    match.refresh_from_db()
    assert match.duration_ms is None, "which is of the games that count"
    if how != "worker silent":
        account.refresh_from_db()
        assert account.spent >= 10, "and its account has had its turn"
    match_cancel(matches=Match.objects.filter(pk=match.pk))
    match_restore(matches=Match.objects.filter(pk=match.pk))
    assert seconds_used(author) == used


def test_what_was_played_of_a_match_that_begins_again_is_paid_for(new: BotVersion, old: BotVersion) -> None:
    match = spar(new, old)
    Match.objects.filter(pk=match.pk).update(duration_ms=40_000, blocks_kept=1)
    sparring_stop(sparring=match.sparring)
    assert match_restore(matches=Match.objects.filter(pk=match.pk)) == 1
    assert seconds_used(new.bot.owner_id) == 40
    assert match_release(matches=Match.objects.filter(pk=match.pk)) == 1
    match.seats.filter(index=1).update(boxes_lost=1)
    (lease,) = lease_take(match_ids=[match.pk], worker="one")
    assert lease_return(lease, "BoxLost", 1, seconds=2.5)
    assert seconds_used(new.bot.owner_id) == 42.5


def test_who_is_cut_off_from_its_match_charges_nobody(new: BotVersion, old: BotVersion) -> None:
    match = spar(new, old)
    with patch("matches.worker.playing.games_played", side_effect=LeaseLost):
        assert work_play()
    assert seconds_used(new.bot.owner_id) == 0
    assert Match.objects.get(pk=match.pk).wasted_ms == 0


def test_a_deleted_bot_spars_no_more(new: BotVersion, old: BotVersion) -> None:
    match = spar(new, old)
    bot_delete(bot=new.bot)
    sparrings_tend()
    match.refresh_from_db()
    assert match.state == MatchState.CANCELLED


@pytest.mark.parametrize("what", ["account", "bot", "opponent"])
def test_what_is_being_played_is_called_off_with_what_is_deleted_whoever_waits(old: BotVersion, what: str) -> None:
    mine = BotVersionFactory(bot__owner=old.bot.owner, source=GOOD)
    match = spar(mine, old)
    assert lease_take(match_ids=[match.pk], worker="one")
    if what == "account":
        person_delete(person=mine.bot.owner)
    else:
        bot_delete(bot=(old if what == "opponent" else mine).bot)
    sparrings_tend()
    match.refresh_from_db()
    assert match.state == MatchState.CANCELLED


def test_sparring_takes_turns_by_author_and_leaves_a_worker_to_the_others(new: BotVersion, old: BotVersion) -> None:
    another = BotVersionFactory()
    mine, theirs, cup = (
        spar(new, old),
        spar(another, another),
        MatchFactory(account=account_for("organiser.5", paced=False)),
    )
    assert mine.account_id != theirs.account_id
    assert set(_accounts_next(3)) == {mine.account_id, theirs.account_id, cup.account_id}
    Account.objects.filter(pk=cup.account_id).update(spent=1000)
    assert claim_take("one:1") is not None
    assert set(_accounts_next(2)) == {cup.account_id}, "one spars already, and one is left to the others"
    assert len(_accounts_next(3)) == 2


def test_its_page_makes_a_match_or_says_what_is_wrong(new: BotVersion, old: BotVersion) -> None:
    client, address = client_of(new.bot.owner), reverse("bots:spar", args=[new.bot.slug])
    shown = client.get(address).content.decode()
    assert f"{new.bot.name} v1" in shown
    options = {field.html_name: field.value() for field in client.get(address).context["form"].option_fields()}
    typed = options | {"version": new.pk, "opponent": old.pk, "players_per_table": 2, "blocks": 30, "effect": 0.1}
    typed["is_sequential"] = "on"
    answer = client.post(address, typed)
    assert answer.status_code == 302, answer.context["form"].errors
    made = Sparring.objects.get()
    assert answer["Location"] == reverse("matches:detail", args=[made.pk])
    assert made.match.stopping == {"rule": "gsprt/2", "effect": 0.1, "error": 0.05}
    assert made.match.blocks == 30
    fixed = client.post(address, {name: value for name, value in typed.items() if name != "is_sequential"})
    assert fixed.status_code == 302
    assert Match.objects.latest("pk").stopping == {}
    for wrong in (
        {"players_per_table": 9},
        {"blocks": 9999},
        {"blocks": ""},
        {"opponent": BotVersionFactory().pk},
        {"opponent": "x"},
        {"effect": "7"},
        {"option_start": "nonsense"},
    ):
        assert client.post(address, typed | wrong).status_code == 422, wrong
    client.post(reverse("bots:spar-stop", args=[made.pk]))
    made.match.refresh_from_db()
    assert made.match.state == MatchState.CANCELLED
    assert client_of(UserFactory()).post(reverse("bots:spar-stop", args=[made.pk])).status_code == 404


@pytest.mark.parametrize("players", [3, 7])
def test_its_form_as_it_comes_lets_more_than_two_play(new: BotVersion, old: BotVersion, players: int) -> None:
    client, address = client_of(new.bot.owner), reverse("bots:spar", args=[new.bot.slug])
    form = client.get(address).context["form"]
    preset = {field.html_name: field.value() for field in form if field.value() is not None}
    answer = client.post(address, preset | {"players_per_table": players})
    assert answer.status_code == 302, answer.context["form"].errors
    match = Sparring.objects.get().match
    assert (match.seats.count(), match.stopping) == (players, {})


def test_over_the_api(new: BotVersion, old: BotVersion) -> None:
    headers = {"authorization": f"Token {token_create(owner=new.bot.owner, name='x')}"}
    strangers = {"authorization": f"Token {token_create(owner=UserFactory(), name='x')}"}
    client, address = Client(), reverse("api:sparrings")

    def post(**told: Any) -> Any:
        return client.post(address, told, content_type="application/json", headers=headers)

    made = post(bot=new.bot.slug, opponent_version=1, blocks=20)
    assert (made.status_code, made.json()["answer"], made.json()["version"]) == (201, "open", 2)
    one = reverse("api:sparring", args=[made.json()["match"]])
    assert client.get(one, headers=headers).json()["opponent_version"] == 1
    assert [client.get(one, headers=who).status_code for who in ({}, strangers)] == [401, 404]
    assert [client.delete(one, headers=who).status_code for who in ({}, strangers)] == [401, 404]
    assert client.get(address, headers=strangers).json()["results"] == []
    assert [found["match"] for found in client.get(address, headers=headers).json()["results"]] == [
        made.json()["match"]
    ]
    played(Match.objects.get())
    told = client.get(one, headers=headers).json()
    assert told["answer"] in ("better", "undecided", "too_close")
    assert told["low"] <= told["share"] <= told["high"]
    assert client.delete(one, headers=headers).json()["state"] == "finished", "what is over stays"
    assert post(bot="nobody").json()["code"] == "unknown_bot"
    assert post(bot=new.bot.slug, version=9).json()["code"] == "no_version"
    assert post(bot=new.bot.slug, opponent=BotVersionFactory().bot.slug).status_code == 403
    assert post(bot=new.bot.slug, players=3).json()["field"] == "stopping"
    assert post(bot=new.bot.slug, options={"x": 1}).json()["field"] == "options"
    assert post(bot=new.bot.slug, effect=float(7)).json()["field"] == "stopping"
    limit = [post(bot=new.bot.slug).status_code for _ in range(4)]
    assert limit == [201, 201, 201, 429]
    assert post(bot=new.bot.slug).json()["code"] == "too_many"


def test_peck_spar_waits_for_the_answer(
    live_server: Any, new: BotVersion, old: BotVersion, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setenv("PECK_SITE", live_server.url)
    monkeypatch.setenv("PECK_TOKEN", token_create(owner=new.bot.owner, name="x"))
    monkeypatch.setattr(spar_command, "sleep", lambda _seconds: played(Match.objects.latest("pk")))
    assert main(["spar", new.bot.slug, "--against", "1", "--blocks", "100"]) == 0
    said = capsys.readouterr()
    assert f"{new.bot.name} v2 is better than {new.bot.name} v1." in said.out
    assert f"/matches/{Match.objects.get().pk}/" in said.err
    assert main(["spar", new.bot.slug, "--version", "1", "--against", "2", "--blocks", "100", "--json"]) == 1
    assert '"answer": "worse"' in capsys.readouterr().out
    crasher = BotVersionFactory(bot=old.bot, source=CRASHES)
    assert (
        main(["spar", new.bot.slug, "--version", str(crasher.number), "--against", "1", "--fixed", "--blocks", "2"])
        == 3
    )
    assert main(["spar", new.bot.slug, "--no-wait"]) == 0
    assert "It is being found out" in capsys.readouterr().out
    assert main(["spar", new.bot.slug, "--option", "nonsense=1"]) == 2
    assert main(["spar", new.bot.slug, "nobody-at-all"]) == 2
    codes = [main(["spar", new.bot.slug, "--no-wait"]) for _ in range(3)]
    assert codes == [0, 0, 4], "there are three already"
    with patch("games.remote.Site._answer", lambda *_: (200, b"{}")):
        assert main(["spar", new.bot.slug]) == 4
