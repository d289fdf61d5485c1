"""A cup of a league's ladder: its best bots are entered in the order of the ladder, and who is not is told why."""

import random
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bots.models import VersionState
from leagues.models import SeasonEntry
from leagues.selectors.ladder import ladder_of
from leagues.services import league_bot_leave, season_end, season_refit, season_schedule
from notices.emails import due_notice_emails_send
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.leagues.factories import member_of, open_league, play, season_of, worker_up
from tests.tournaments.factories import TournamentFactory, finish_matches
from tests.tournaments.proof.events import LAST, play_out
from tests.tournaments.proof.forging import Parts
from tests.tournaments.proof.test_verify import proof_file
from tournaments.errors import CupRefused, EntryRefused
from tournaments.forms import TournamentForm
from tournaments.models import LadderCup, PassedOver, Tournament
from tournaments.presets import PRESETS, tournament_preset_named
from tournaments.proof.verify import proof_verify
from tournaments.selectors.pages.ladder_cups import ladder_cup_field
from tournaments.services import entry_create, entry_withdraw, ladder_cup_create, tournament_advance, tournament_start
from tournaments.services.ladder_cups import ladder_cup_stages_planned

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]


def ladder(bots=6, *, agree=True, source=LAST, **fields):
    """A season whose bots have played, each of its own author; the names of the bots in the order of the ladder."""
    worker_up(slots=8)
    league = open_league(**fields)
    for _ in range(bots):
        member_of(league, bot=BotVersionFactory(bot=BotFactory(organisers_may_enter=agree), source=source).bot)
    season = season_of(league)
    strengths = {one.bot_id: -3.0 * number for number, one in enumerate(league.memberships.order_by("pk"))}
    for _ in range(bots):
        season_schedule(season_id=season.pk)
        play(season, strengths, random.Random(7))
    season_refit(season_id=season.pk)
    season.refresh_from_db()
    return season, [row.entry.version.bot for row in ladder_of(season).rows]


def cup_of_ladder(season, best=4, preset="quick", **fields):
    settings = {"first_round_at": None, "time_zone": "UTC", **fields}
    return ladder_cup_create(
        season=season, name="Yard Cup", preset=tournament_preset_named(preset), best=best, **settings
    )


def entered(cup):
    return [entry.bot for entry in cup.entries.filter(is_withdrawn=False).order_by("ladder_place")]


def test_the_best_are_entered_seeded_in_the_order_of_the_ladder_and_told(django_capture_on_commit_callbacks):
    season, order = ladder(limits={"act_cpu": 0.05}, options={"steal": "mandatory"})
    with django_capture_on_commit_callbacks(execute=True):
        cup = cup_of_ladder(season)
    assert (cup.state, cup.organiser, cup.limits["act_cpu"]) == ("open", season.league.organiser, 0.05)
    assert (cup.ruleset, cup.options["steal"]) == (season.league.ruleset, "mandatory")
    assert (cup.entrants_most, cup.admission) == (4, "invited")
    assert entered(cup) == order[:4]
    assert due_notice_emails_send() == 4
    assert sorted(letter.to[0] for letter in mail.outbox) == sorted(bot.owner.email for bot in order[:4])
    started = tournament_start(tournament=cup)
    assert [seed.entry.bot for seed in started.stage.seeds.order_by("number")] == order[:4]
    tables = [{seat.version.bot for seat in one.match.seats.all()} for one in started.fixtures.filter(round__number=1)]
    assert {order[0], order[3]} in tables
    assert {order[1], order[2]} in tables


def test_the_proof_of_a_cup_holds_and_no_other_order_of_the_ladder_does(tmp_path):
    season, _order = ladder(4)
    cup = play_out(tournament_start(tournament=cup_of_ladder(season)))
    file = proof_file(cup, tmp_path / "proof.zip")
    assert proof_verify(file).ended
    forged = Parts.of(file).copy()
    link = next(one for one in forged.links if one["kind"] == "frozen")
    entries = [dict(one) for one in link["content"]["entries"]]
    assert [one["place"] for one in entries] == [1, 2, 3, 4]
    entries[0]["place"], entries[3]["place"] = 4, 1
    link["content"] = {**link["content"], "entries": entries}
    with pytest.raises(ValueError, match="begins with seeds that do not follow"):
        proof_verify(forged.write(tmp_path / "forged.zip"))


def test_who_may_not_be_entered_is_passed_over_with_the_reason_and_the_next_ones_play(client):
    season, order = ladder(8)
    not_agreed, benched, without, *others = order
    not_agreed.organisers_may_enter = False
    not_agreed.save()
    SeasonEntry.objects.filter(version__bot=benched).update(state="benched", benched_at=timezone.now())
    without.current.state = VersionState.REFUSED
    without.current.save()
    league_bot_leave(membership=season.league.memberships.get(bot=others[0]), by=others[0].owner)
    cup = cup_of_ladder(season, best=3)
    assert entered(cup) == others[1:4]
    whole = [(bot, place, why) for bot, place, why in LadderCup.objects.get().passed_over if why != "tied"]
    assert whole == [
        (not_agreed.pk, 1, PassedOver.NOT_AGREED),
        (benched.pk, 2, PassedOver.BENCHED),
        (without.pk, 3, PassedOver.NO_VERSION),
    ]
    shown = client.get(reverse("tournaments:detail", args=[cup.slug]))
    assert_clean_page(shown)
    page = shown.content.decode()
    answer = client.get(f"/api/tournaments/{cup.slug}/").json()["ladder"]
    assert (answer["league"], answer["season"], answer["best"]) == (season.league.slug, 1, 3)
    for one, (bot, place, why) in zip(answer["passed_over"], whole, strict=False):
        assert (one["place"], one["reason"]) == (place, why)
        assert str(PassedOver(why).label) in page
        assert bot in (not_agreed.pk, benched.pk, without.pk)


def test_in_a_season_that_is_over_who_left_the_league_since_is_passed_over():
    season, order = ladder()
    season_end(league=season.league)
    season.refresh_from_db()
    league_bot_leave(membership=season.league.memberships.get(bot=order[0]), by=order[0].owner)
    assert entered(cup_of_ladder(season)) == order[1:5]
    assert LadderCup.objects.get().passed_over[0] == [order[0].pk, 1, PassedOver.LEFT]


def test_of_bots_that_share_a_rank_the_ratings_decide_and_the_others_are_told():
    worker_up()
    league = open_league()
    for _ in range(5):
        member_of(league, bot=BotVersionFactory(bot=BotFactory(organisers_may_enter=True)).bot)
    season = season_of(league)
    season_schedule(season_id=season.pk)
    play(season, {one.bot_id: 0.0 for one in league.memberships.all()}, random.Random(1))
    season_refit(season_id=season.pk)
    rows = ladder_of(season).rows
    field = ladder_cup_field(season, 2)
    assert [one.bot for one in field.taken] == [row.entry.version.bot for row in rows[:2]]
    shared = [row.entry.version.bot for row in rows[2:] if row.rank == rows[1].rank]
    assert shared
    assert [(one.bot, one.why) for one in field.passed_over] == [(bot, PassedOver.TIED) for bot in shared[:2]]


def test_too_few_make_no_cup_and_nobody_is_told(django_capture_on_commit_callbacks):
    season, order = ladder(4, agree=False)
    order[0].organisers_may_enter = True
    order[0].save()
    with django_capture_on_commit_callbacks(execute=True), pytest.raises(CupRefused) as refused:
        cup_of_ladder(season)
    assert refused.value.code == "too_few"
    assert not Tournament.objects.exists()
    assert due_notice_emails_send() == 0


def test_an_author_withdraws_and_nobody_comes_in_without_an_invitation():
    season, order = ladder()
    cup = cup_of_ladder(season)
    entry_withdraw(entry=cup.entries.get(bot=order[0]), by=order[0].owner)
    client = Client()
    client.force_login(order[5].owner)
    refused = client.post(reverse("tournaments:enter", args=[cup.slug]), {"bot": order[5].pk})
    assert refused.status_code == 422
    assert entered(cup) == order[1:4]


@pytest.mark.parametrize("preset", PRESETS, ids=lambda one: one.code)
@pytest.mark.parametrize(("game", "players"), [("pickomino", 2), ("laghetti", 3)])
def test_the_stages_of_a_preset_are_those_that_its_form_makes(preset, game, players):
    shown = TournamentForm(initial={"game": game, **preset.at_tables(players)})
    data = {name: value for name in shown.fields if (value := shown[name].value()) is not None}
    form = TournamentForm(data | {"name": "Cup"})
    assert form.is_valid(), form.errors
    assert ladder_cup_stages_planned(preset, players) == form.cleaned_data["settings"]["stages"]


def test_the_league_tells_of_its_cups_and_of_who_won(client):
    season, order = ladder()
    cup = tournament_start(tournament=cup_of_ladder(season))
    page = reverse("leagues:detail", args=[season.league.slug])
    assert cup.name in client.get(page).content.decode()
    while cup.state != "finished":
        finish_matches(cup, lambda seats: [float(seat == min(seats)) for seat in seats])
        tournament_advance(tournament_id=cup.pk)
        cup.refresh_from_db()
    for address in (page, reverse("cups:list", args=[season.league.slug])):
        shown = client.get(address)
        assert_clean_page(shown)
        assert f"{order[0].name}</a>" in shown.content.decode().partition("won by")[2]
    [content] = client.get(f"/api/leagues/{season.league.slug}/cups/").json()["results"]
    assert (content["slug"], content["state"], [one["slug"] for one in content["winners"]]) == (
        cup.slug,
        "finished",
        [order[0].slug],
    )


def form_of(season, **fields):
    return {"name": "Sunday Cup", "best": 4, "preset": "quick", "time_zone": "Europe/Zurich", **fields}


def test_the_organiser_looks_and_makes_it_on_the_page():
    season, order = ladder()
    client = Client()
    client.force_login(season.league.organiser)
    address = reverse("cups:create", args=[season.league.slug])
    assert address in client.get(reverse("leagues:detail", args=[season.league.slug])).content.decode()
    looked = client.post(address, form_of(season, best=3, look="1"))
    assert [one.bot for one in looked.context["field"].taken] == order[:3]
    assert not Tournament.objects.exists()
    assert_clean_page(looked)
    over = client.post(address, form_of(season, first_round_at="2020-01-02T03:04"))
    assert over.status_code == 422
    assert "first_round_at" in over.context["form"].errors
    assert client.post(address, form_of(season, best=129)).status_code == 422
    day = timezone.now().date() + timedelta(days=3)
    made = client.post(address, form_of(season, first_round_at=f"{day}T20:00"))
    cup = Tournament.objects.get()
    assert made.url == reverse("tournaments:detail", args=[cup.slug])
    assert (cup.name, cup.time_zone, entered(cup)) == ("Sunday Cup", "Europe/Zurich", order[:4])
    assert cup.first_round_at.astimezone(cup.zone).hour == 20


def test_the_api_tells_the_field_and_makes_the_cup():
    season, order = ladder()
    headers = {"authorization": f"Token {token_of(season.league.organiser)}"}
    client, below = Client(headers=headers), f"/api/leagues/{season.league.slug}/cups/"
    field = client.get(f"{below}field/?best=2").json()
    assert [(one["place"], one["bot"]["slug"]) for one in field["taken"]] == [(1, order[0].slug), (2, order[1].slug)]
    assert client.get(f"{below}field/?best=1").status_code == 400
    assert client.post(below, {"bset": 3}, content_type="application/json").json()["code"] == "unknown_field"
    made = client.post(below, {"best": 3, "preset": "swiss"}, content_type="application/json")
    assert made.status_code == 201, made.json()
    cup = Tournament.objects.get()
    assert (made.json()["slug"], made.json()["ladder"]["best"], entered(cup)) == (cup.slug, 3, order[:3])
    places = [one["ladder_place"] for one in client.get(f"/api/tournaments/{cup.slug}/entries/").json()["results"]]
    assert places == [1, 2, 3]
    for bot in order:
        bot.organisers_may_enter = False
        bot.save()
    refused = client.post(below, {"best": 3}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (409, "too_few")


def test_only_who_runs_the_league_makes_a_cup():
    season, order = ladder()
    cup = cup_of_ladder(season)
    arbiter, staff = UserFactory(), UserFactory(is_staff=True)
    cup.arbiters.add(arbiter)
    page, below = reverse("cups:create", args=[season.league.slug]), f"/api/leagues/{season.league.slug}/cups/"
    for person, shown, asked in [
        (None, 302, 401),
        (UserFactory(), 403, 403),
        (order[0].owner, 403, 403),
        (arbiter, 403, 403),
        (UserFactory(is_organiser=True), 403, 403),
        (season.league.organiser, 200, 201),
        (staff, 200, 201),
    ]:
        client, headers = Client(), {}
        if person is not None:
            client.force_login(person)
            headers = {"authorization": f"Token {token_of(person)}"}
        before = Tournament.objects.count()
        assert client.get(page).status_code == shown
        posted = client.post(page, form_of(season))
        assert posted.status_code == (302 if shown == 200 else shown)
        assert Client().get(f"{below}field/", headers=headers).status_code == (200 if asked == 201 else asked)
        sent = Client().post(below, {"best": 2}, content_type="application/json", headers=headers)
        assert sent.status_code == asked
        assert Tournament.objects.count() - before == (2 if asked == 201 else 0)
        listed = Client().get(below, headers=headers).json()["results"]
        assert len(listed) == Tournament.objects.count()


def test_who_joined_a_league_that_enters_its_bots_in_cups_has_agreed_until_the_bot_leaves(
    django_capture_on_commit_callbacks,
):
    season, order = ladder(5, agree=False, enters_cups=True)
    with django_capture_on_commit_callbacks(execute=True):
        cup = cup_of_ladder(season)
    assert entered(cup) == order[:4]
    due_notice_emails_send()
    letter = next(one for one in mail.outbox if one.to == [order[0].owner.email])
    assert f"a cup of the league {season.league.name}" in letter.body
    assert reverse("leagues:detail", args=[season.league.slug]) in letter.body
    entry_withdraw(entry=cup.entries.get(bot=order[0]), by=order[0].owner)
    league_bot_leave(membership=season.league.memberships.get(bot=order[1]), by=order[1].owner)
    assert entered(cup) == order[1:4]  # what it was entered in stands
    assert entered(cup_of_ladder(season, best=3)) == [order[0], *order[2:4]]


def test_the_consent_of_joining_holds_for_the_cups_of_that_league_alone():
    season, order = ladder(4, agree=False, enters_cups=True)
    other, _bots = ladder(2, enters_cups=True, organiser=season.league.organiser)
    elsewhere, plain = cup_of_ladder(other, best=2), TournamentFactory(organiser=season.league.organiser)
    for cup in (elsewhere, plain):
        with pytest.raises(EntryRefused) as refused:
            entry_create(tournament=cup, bot=order[0], by=season.league.organiser)
        assert refused.value.code == "not_yours"
    cup = cup_of_ladder(season, best=3)
    entry_withdraw(entry=cup.entries.get(bot=order[0]), by=season.league.organiser)
    with pytest.raises(EntryRefused) as refused:
        entry_create(tournament=cup, bot=order[3], by=order[0].owner)
    assert refused.value.code == "invitation"
    client = Client()
    client.force_login(season.league.organiser)
    client.post(reverse("tournaments:enter", args=[cup.slug]), {"bot": "", "other": order[3].name})
    assert set(entered(cup)) == set(order[1:4])


def test_it_is_said_before_joining_and_fixed_once_the_league_is_open():
    league = open_league(enters_cups=True)
    bot = BotVersionFactory(bot=BotFactory(game=league.game)).bot
    client = Client()
    client.force_login(bot.owner)
    for page in (reverse("leagues:detail", args=[league.slug]), reverse("bots:detail", args=[bot.slug])):
        shown = client.get(page)
        assert_clean_page(shown)
        assert "By joining, you agree" in shown.content.decode()
    assert client.get(f"/api/leagues/{league.slug}/").json()["enters_cups"] is True
    plain = open_league()
    assert "By joining, you agree" not in client.get(reverse("leagues:detail", args=[plain.slug])).content.decode()
    for one, value in ((league, False), (plain, True)):
        organiser = Client(headers={"authorization": f"Token {token_of(one.organiser)}"})
        settings = f"/api/leagues/{one.slug}/settings/"
        refused = organiser.patch(settings, {"enters_cups": value}, content_type="application/json")
        assert (refused.status_code, refused.json()["code"]) == (409, "fixed")
        assert organiser.get(settings).json()["enters_cups"] is not value
