"""Rounds that wait, for their time or for the organiser, and results that are shown in steps."""

import html
import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from matches.models import Audience, Match, MatchState, Seat
from matches.visibility import matches_visible
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.arena.pages import assert_clean_page
from tests.tournaments.factories import TournamentFactory, finish_match, finish_matches, running_tournament
from tests.tournaments.rulings.rule import rule
from tests.tournaments.test_forms import typed
from tests.tournaments.test_pages import text_of
from tournaments import services
from tournaments.errors import WrongState
from tournaments.models import Publication, Tournament
from tournaments.selectors.fixtures import progress_of
from tournaments.selectors.results import standings_of
from tournaments.services.apart import pair_keep_apart
from tournaments.services.waiting import RoundStarted, SwapBreaksRules, SwapRefused
from tournaments.tasks import match_finished, sweep

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]


def swiss(entries=6, **fields):
    return running_tournament(entries, format="swiss", rounds=2, **fields)


def states_of(cup, number):
    return set(cup.fixtures.filter(round__number=number).values_list("match__state", flat=True))


def play_round(cup):
    for match_id in finish_matches(cup):
        match_finished(match_id)
    cup.refresh_from_db()


# --- waiting ---------------------------------------------------------------------------------------------------------


def test_a_round_waits_for_its_time_and_then_begins_once(sent):
    cup = swiss(first_round_at=timezone.now() + timedelta(hours=1))
    assert (states_of(cup, 1), sent) == ({MatchState.HELD}, [])
    sweep()
    assert states_of(cup, 1) == {MatchState.HELD}
    cup.rounds.update(starts_at=timezone.now() - timedelta(seconds=1))
    sweep()
    sweep()
    assert states_of(cup, 1) == {MatchState.QUEUED}
    assert cup.rounds.get().started


def test_rounds_begin_so_many_minutes_after_each_other():
    cup = running_tournament(4, round_minutes=30)
    first, second, third = cup.rounds.all()
    assert states_of(cup, 1) == {MatchState.QUEUED}
    assert states_of(cup, 2) == states_of(cup, 3) == {MatchState.HELD}
    assert second.starts_at - first.starts_at == third.starts_at - second.starts_at == timedelta(minutes=30)


def test_a_pause_holds_rounds_that_wait_and_the_resume_lets_only_begun_ones_go():
    cup = running_tournament(4, round_minutes=30)
    services.tournament_pause(tournament=cup)
    cup.rounds.update(starts_at=timezone.now())
    sweep()
    assert states_of(cup, 1) == states_of(cup, 2) == {MatchState.HELD}
    with pytest.raises(WrongState):
        services.round_start(played=cup.rounds.get(number=2))
    services.tournament_resume(tournament=cup)
    assert (states_of(cup, 1), states_of(cup, 2)) == ({MatchState.QUEUED}, {MatchState.HELD})
    sweep()
    assert states_of(cup, 2) == {MatchState.QUEUED}


def test_reviewed_rounds_wait_for_the_organiser_whatever_the_time():
    cup = swiss(review_rounds=True, round_minutes=1)
    cup.rounds.update(starts_at=timezone.now())
    sweep()
    assert states_of(cup, 1) == {MatchState.HELD}
    services.round_start(played=cup.rounds.get())
    assert states_of(cup, 1) == {MatchState.QUEUED}
    with pytest.raises(RoundStarted):
        services.round_start(played=cup.rounds.get())
    play_round(cup)
    assert states_of(cup, 2) == {MatchState.HELD}
    services.round_start(played=cup.rounds.get(number=2))
    play_round(cup)
    assert cup.state == "finished"


def test_a_tournament_with_rounds_that_wait_is_not_over():
    cup = running_tournament(3, review_rounds=True)
    services.round_start(played=cup.rounds.get(number=1))
    finish_matches(cup, most=1)
    assert not services.tournament_advance(tournament_id=cup.pk)
    cup.refresh_from_db()
    assert cup.state == "running"


# --- changing places -------------------------------------------------------------------------------------------------


def seating(cup):
    tables = cup.fixtures.filter(round__number=1).prefetch_related("match__seats")
    return [[seat.version_id for seat in fixture.match.seats.all()] for fixture in tables]


def test_two_bots_change_places_and_the_reasons_of_their_tables_are_gone():
    cup = swiss(review_rounds=True)
    (a, b), (c, d), other = seating(cup)
    entry = {one.version_id: one for one in cup.entries.all()}
    services.places_swap(by=cup.organiser, played=cup.rounds.get(), one=entry[a], other=entry[d])
    assert seating(cup) == [[d, b], [c, a], other]
    assert [fixture.reasons is None for fixture in cup.fixtures.all()] == [True, True, False]
    (noted,) = cup.rulings.all()
    assert (noted.kind, noted.by) == ("note", cup.organiser)
    assert f"{entry[a].bot.name} and {entry[d].bot.name} changed places" in noted.reason


@pytest.mark.parametrize("entries", [3, 5])
def test_a_bye_counts_when_its_round_begins_and_not_before(client, entries):
    cup = swiss(entries, review_rounds=True)
    waiting = {row.entrant: (row.points, row.byes) for row in standings_of(cup.stage)}
    assert set(waiting.values()) == {(0, 0)}
    services.round_start(played=cup.rounds.get())
    idle = cup.byes.get().entry_id
    assert {row.entrant: (row.points, row.byes) for row in standings_of(cup.stage)} == waiting | {idle: (1, 1)}
    for match_id in finish_matches(cup):
        match_finished(match_id)
    cup.refresh_from_db()
    assert cup.byes.count() == 2
    after = {row.entrant: row.points for row in standings_of(cup.stage)}
    assert after[idle] == 1
    assert sum(after.values()) == cup.fixtures.filter(round__number=1).count() + 1


@pytest.mark.parametrize(("annul", "gone"), [(False, 0), (True, 1)])
def test_matches_that_were_called_off_are_none_to_be_played(client, annul, gone):
    cup = swiss(5, review_rounds=True)
    services.round_start(played=cup.rounds.get())
    play_round(cup)
    services.round_start(played=cup.rounds.get(number=2))
    rule(cup, "disqualify", entry=entry_at(cup, 2, 1), annul=annul, reason="It cheated.")
    for fixture in cup.fixtures.filter(match__state=MatchState.QUEUED):
        match_finished(finish_match(fixture.match, [1, 0]).pk)
    cup.refresh_from_db()
    called_off = cup.fixtures.filter(match__state=MatchState.CANCELLED).count()
    progress = progress_of(cup)
    assert (cup.state, called_off) == ("finished", gone)
    assert progress.finished == progress.total == cup.fixtures.count() - gone
    assert f"{4 - gone} of {4 - gone} matches finished" in text_of(
        client.get(reverse("tournaments:detail", args=[cup.slug]))
    )


def entry_at(cup, number, table):
    seat = Seat.objects.filter(match__fixture__round__number=number, match__fixture__table=table).first()
    return cup.entries.get(version=seat.version_id)


def test_a_bot_takes_the_bye_of_another():
    cup = swiss(5, review_rounds=True)
    bye = cup.byes.get()
    entry = {one.version_id: one for one in cup.entries.all()}
    seated = entry[seating(cup)[0][0]]
    services.places_swap(by=cup.organiser, played=cup.rounds.get(), one=bye.entry, other=seated)
    assert seating(cup)[0][0] == bye.entry.version_id
    assert cup.byes.get().entry == seated
    services.round_start(played=cup.rounds.get())
    with pytest.raises(RoundStarted):
        services.places_swap(by=cup.organiser, played=cup.rounds.get(), one=bye.entry, other=seated)


def test_the_page_of_a_round_says_what_the_organiser_arranged_and_hides_no_table(client):
    cup = swiss(7, review_rounds=True)
    bye, entry = cup.byes.get(), {one.version_id: one for one in cup.entries.all()}
    (a, _), (c, _), _ = seating(cup)
    for one, other in ((entry[a], entry[c]), (bye.entry, entry[a])):
        services.places_swap(by=cup.organiser, played=cup.rounds.get(), one=one, other=other)
    services.round_start(played=cup.rounds.get())
    page = client.get(reverse("tournaments:pairings", args=[cup.slug, 1]))
    assert_clean_page(page)
    text = page.content.decode()
    assert all(entry.bot.name in text for entry in cup.entries.all())
    assert text.count("let bots change places here") == 3  # two tables and the bye
    assert text.count("Score group") == 1
    sheet = client.get(reverse("tournaments:export", args=[cup.slug, "fixtures.csv"])).content.decode()
    assert cup.byes.get().entry.bot.name in sheet


def test_nobody_changes_places_in_a_knockout(client):
    cup = running_tournament(entries=4, format="single_elimination", review_rounds=True)
    one, other = cup.entries.all()[:2]
    with pytest.raises(SwapRefused, match="bracket"):
        services.places_swap(by=cup.organiser, played=cup.rounds.get(), one=one, other=other)
    client.force_login(cup.organiser)
    page = client.get(reverse("tournaments:arrange", args=[cup.slug, 1]))
    assert_clean_page(page)
    assert "Change places" not in page.content.decode()


def test_who_is_not_there_cannot_change_places():
    cup = swiss(review_rounds=True)
    one, two, _leaver = cup.entries.all()[:3]
    stranger = TournamentFactory(entries=1).entries.get()
    for other in (one, stranger):
        with pytest.raises(SwapRefused):
            services.places_swap(by=cup.organiser, played=cup.rounds.get(), one=one, other=other)
    before = seating(cup)
    services.places_swap(by=cup.organiser, played=cup.rounds.get(), one=one, other=two)
    services.places_swap(by=cup.organiser, played=cup.rounds.get(), one=two, other=one)
    assert seating(cup) == before


def test_who_takes_the_seat_of_a_disqualified_bot_plays_and_the_other_forfeits_wherever_it_sits():
    """In a round robin, whose rounds are drawn once and for all."""
    cup = running_tournament(6, review_rounds=True)
    seats = Seat.objects.filter(match__fixture__round__number=1).order_by("match", "index")
    first, *_, last = seats
    out, newcomer = (cup.entries.get(version=seat.version_id) for seat in (first, last))
    rule(cup, "disqualify", entry=out)
    services.places_swap(by=cup.organiser, played=cup.rounds.get(number=1), one=out, other=newcomer)
    forfeited = dict(seats.values_list("version", "forfeited"))
    assert [version for version, lost in forfeited.items() if lost] == [out.version_id]
    assert seats.get(version=out.version_id).match_id == last.match_id


# --- who may look ----------------------------------------------------------------------------------------------------

PAGES = ("tie-breaks", "pairings", "export", "ratings")
SEEN_BY = {
    Publication.EVERYONE: {"nobody", "stranger", "entrant", "organiser", "staff"},
    Publication.PARTICIPANTS: {"entrant", "organiser", "staff"},
    Publication.HIDDEN: {"organiser", "staff"},
}


def reader_of(cup, kind):
    return {
        "nobody": lambda: None,
        "stranger": UserFactory,
        "entrant": lambda: cup.entries.first().bot.owner,
        "organiser": lambda: cup.organiser,
        "staff": lambda: UserFactory(is_staff=True),
    }[kind]()


@pytest.mark.parametrize("kind", ["nobody", "stranger", "entrant", "organiser", "staff"])
@pytest.mark.parametrize("publication", Publication)
def test_pairings_and_results_are_shown_to_those_they_are_published_to(client, publication, kind):
    cup = swiss(publication=publication)
    play_round(cup)
    user = reader_of(cup, kind)
    if user:
        client.force_login(user)
    seen = kind in SEEN_BY[publication]
    detail = client.get(reverse("tournaments:detail", args=[cup.slug]))
    assert_clean_page(detail)
    assert ('class="standings"' in detail.content.decode()) == seen
    assert ('class="standings"' in client.get(reverse("tournaments:live", args=[cup.slug])).content.decode()) == seen
    more = {"pairings": [1], "export": ["tournament.json"]}
    for page in PAGES:
        response = client.get(reverse(f"tournaments:{page}", args=[cup.slug, *more.get(page, [])]))
        assert response.status_code == (200 if seen else 403), page


@pytest.mark.parametrize("publication", Publication)
def test_the_secret_which_gives_the_pairings_away_is_told_with_them(client, publication):
    cup = swiss(publication=publication)
    Tournament.objects.filter(pk=cup.pk).update(state="finished", finished=timezone.now())
    secret = bytes(cup.luck.secret).hex()
    for kind in ("nobody", "stranger", "entrant", "organiser"):
        client.logout()
        if user := reader_of(cup, kind):
            client.force_login(user)
        page = client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
        assert (secret in page) == (kind in SEEN_BY[publication])
    answer = client.get(reverse("api-tournaments:detail", args=[cup.slug])).json()
    assert answer["secret"] == (secret if publication == Publication.EVERYONE else None)


def test_publishing_opens_the_matches_too_and_hiding_closes_them():
    cup = swiss(publication=Publication.HIDDEN)
    entrant, stranger = cup.entries.first().bot.owner, UserFactory()
    for publication, by_entrant, by_stranger in [("hidden", 0, 0), ("participants", 1, 0), ("everyone", 3, 3)]:
        services.tournament_publish(tournament=cup, publication=Publication(publication))
        assert matches_visible(entrant).count() == by_entrant
        assert matches_visible(stranger).count() == by_stranger
    services.tournament_publish(tournament=cup, publication=Publication.HIDDEN)
    assert not matches_visible(stranger).exists()


def test_the_matches_of_a_round_that_waits_for_the_organiser_are_nobody_elses_yet(client):
    cup = swiss(review_rounds=True)
    address = reverse("tournaments:detail", args=[cup.slug])
    assert set(Match.objects.values_list("audience", flat=True)) == {Audience.ORGANISER}
    assert "Round 1" not in client.get(address).content.decode().split("fixtures")[1]
    assert client.get(reverse("tournaments:pairings", args=[cup.slug, 1])).status_code == 404
    services.tournament_publish(tournament=cup, publication=Publication.EVERYONE)
    assert not matches_visible(UserFactory()).exists()
    services.round_start(played=cup.rounds.get())
    assert matches_visible(UserFactory()).count() == 3


# --- pages of the organiser ------------------------------------------------------------------------------------------


def test_the_organiser_arranges_a_round_and_lets_it_begin(client):
    cup = swiss(review_rounds=True)
    client.force_login(cup.organiser)
    assert_clean_page(client.get(reverse("tournaments:detail", args=[cup.slug])))
    address = reverse("tournaments:arrange", args=[cup.slug, 1])
    assert_clean_page(client.get(address))
    one, other = (cup.entries.get(version=version) for version in (seating(cup)[0][0], seating(cup)[1][0]))
    again = client.post(address, {"one": one.pk, "other": one.pk})
    assert again.status_code == 422
    assert "two different bots" in again.content.decode()
    assert client.post(address, {"one": one.pk, "other": other.pk}).status_code == 302
    assert seating(cup)[0][0] == other.version_id
    assert client.post(reverse("tournaments:round-start", args=[cup.slug, 1])).status_code == 302
    assert states_of(cup, 1) == {MatchState.QUEUED}
    before = states_of(cup, 1), Tournament.objects.values().get(pk=cup.pk)
    assert client.post(reverse("tournaments:round-start", args=[cup.slug, 1])).status_code == 302  # a second tab
    assert (states_of(cup, 1), Tournament.objects.values().get(pk=cup.pk)) == before
    assert_clean_page(client.get(address))


def test_a_swap_that_breaks_a_rule_says_which_and_asks_again(client):
    cup = swiss(entries=5, review_rounds=True)
    services.round_start(played=cup.rounds.get())
    play_round(cup)
    client.force_login(cup.organiser)
    second, had_bye = cup.rounds.get(number=2), cup.byes.get(round__number=1).entry
    idle, seated = cup.byes.get(round__number=2).entry, entry_at(cup, 2, 1)
    address = reverse("tournaments:arrange", args=[cup.slug, 2])
    pair_keep_apart(tournament=cup, one=idle, other=beside(cup, second, had_bye))
    told = client.post(address, {"one": had_bye.pk, "other": idle.pk})
    text = text_of(told)
    assert told.status_code == 422
    assert f"{had_bye.bot.name} has had a bye in round 1." in text
    assert "are kept apart." in text
    assert "Change places all the same" in text
    assert (cup.byes.get(round__number=2).entry, cup.rulings.count()) == (idle, 0)
    despite = re.findall(r'name="despite" value="([^"]*)"', told.content.decode())
    stale = client.post(address, {"one": had_bye.pk, "other": idle.pk, "despite": despite[:1]})
    assert stale.status_code == 422
    done = client.post(
        address, {"one": had_bye.pk, "other": idle.pk, "despite": [html.unescape(one) for one in despite]}
    )
    assert done.status_code == 302
    assert cup.byes.get(round__number=2).entry == had_bye
    assert all(html.unescape(one) in cup.rulings.get().reason for one in despite)
    assert seated in cup.entries.all()


def test_a_swap_that_makes_a_rematch_names_the_round():
    cup = swiss(entries=4, review_rounds=True)
    services.round_start(played=cup.rounds.get())
    play_round(cup)
    second = cup.rounds.get(number=2)
    one = entry_at(cup, 2, 1)
    met = beside(cup, cup.rounds.get(number=1), one)
    mate = beside(cup, second, one)
    with pytest.raises(SwapBreaksRules, match="have met in round 1"):
        services.places_swap(by=cup.organiser, played=second, one=met, other=mate, despite=())
    assert cup.rulings.count() == 0


def beside(cup, played, entry):
    fixture = cup.fixtures.get(round=played, match__seats__version=entry.version_id)
    return cup.entries.get(version=fixture.match.seats.exclude(version=entry.version_id).get().version_id)


def test_a_bot_that_has_left_has_no_place_to_change_any_more(client):
    cup = swiss(entries=5, review_rounds=True)
    client.force_login(cup.organiser)
    bye = cup.byes.get()
    leaver = cup.entries.exclude(pk=bye.entry_id).first()
    services.entry_withdraw(entry=leaver, by=cup.organiser)
    address = reverse("tournaments:arrange", args=[cup.slug, 1])
    assert not cup.byes.exists()
    assert client.post(address, {"one": leaver.pk, "other": bye.entry_id}).status_code == 422
    stranger = TournamentFactory(entries=1).entries.get()
    assert client.post(address, {"one": bye.entry_id, "other": stranger.pk}).status_code == 422


@pytest.mark.parametrize(("name", "more"), [("arrange", [1]), ("round-start", [1]), ("publish", [])])
@pytest.mark.parametrize("kind", ["nobody", "stranger", "entrant"])
def test_nobody_else_arranges_starts_or_publishes(client, name, more, kind):
    cup = swiss(review_rounds=True)
    user = reader_of(cup, kind)
    if user:
        client.force_login(user)
    response = client.post(reverse(f"tournaments:{name}", args=[cup.slug, *more]), {"publication": "hidden"})
    assert response.status_code == (403 if user else 302)
    cup.refresh_from_db()
    assert (cup.publication, states_of(cup, 1)) == (Publication.EVERYONE, {MatchState.HELD})


def test_a_publication_that_does_not_exist_is_refused(client):
    cup = swiss()
    client.force_login(cup.organiser)
    address = reverse("tournaments:publish", args=[cup.slug])
    client.post(address, {"publication": "everywhere"})
    cup.refresh_from_db()
    assert cup.publication == Publication.EVERYONE
    client.post(address, {"publication": "hidden"})
    cup.refresh_from_db()
    assert cup.publication == Publication.HIDDEN


def test_the_form_keeps_the_calendar(client):
    client.force_login(OrganiserFactory())
    fields = {"first_round_at": "2030-01-02T18:30", "round_minutes": 45, "review_rounds": "on", "publication": "hidden"}
    client.post("/tournaments/new/", typed(**fields))
    cup = Tournament.objects.get()
    assert (cup.round_minutes, cup.review_rounds, cup.publication) == (45, True, Publication.HIDDEN)
    assert cup.first_round_at.isoformat() == "2030-01-02T18:30:00+00:00"
    page = client.get(reverse("tournaments:edit", args=[cup.slug])).content.decode()
    assert 'value="2030-01-02T18:30"' in page
    refused = client.post("/tournaments/new/", typed(**fields | {"round_minutes": -1}))
    assert refused.status_code == 422


def test_entrants_read_when_rounds_begin_and_by_whose_clock(client):
    due = timezone.now().replace(year=2031, month=12, day=24, hour=18, minute=30)
    cup = TournamentFactory(first_round_at=due, round_minutes=45, review_rounds=True)
    text = client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    assert ">Dec. 24, 2031, 6:30 p.m. UTC</local-time>" in text
    assert "45 minutes have gone by" in text
    assert "The organiser sees each round first" in text
