"""A tournament's page shows its state, the next step and the leaders first; proofs have a page of their own."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from matches.models import Broadcast, Match
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.tournaments.factories import TournamentFactory, finish_matches, running_tournament
from tests.tournaments.rulings.rule import rule
from tournaments import services
from tournaments.models import Publication, Tournament
from tournaments.selectors.rounds.stages import stage_seeding_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def html_of(cup: Tournament, name: str = "detail", *, client: Client | None = None) -> str:
    answer = (client or Client()).get(reverse(f"tournaments:{name}", args=[cup.slug]))
    assert_clean_page(answer)
    return " ".join(answer.content.decode().split())


def sections_of(html: str) -> dict[str, str]:
    [nav] = re.findall(r'<nav class="tabs sections".*?</nav>', html)
    return {name: href for href, name in re.findall(r'<a href="([^"]*)"[^>]*>(.*?)</a>', nav)}


def over(cup: Tournament) -> Tournament:
    while cup.state != "finished":
        finish_matches(cup)
        services.tournament_advance(tournament_id=cup.pk)
        cup.refresh_from_db()
    return cup


def test_the_head_says_what_is_played_where_it_stands_and_what_to_do() -> None:
    cup = running_tournament(4, format="swiss", rounds=3)
    head = html_of(cup).partition("</header>")[2].partition("</header>")[0]
    assert "Pickomino · Swiss" in head
    assert "Round 1 of 3" in head
    assert f'href="{reverse("tournaments:boards", args=[cup.slug, 1])}">Watch</a>' in head
    assert f'href="{reverse("tournaments:fairness", args=[cup.slug])}">Draw sealed before entries' in head


def test_the_next_round_is_announced_with_its_time() -> None:
    cup = running_tournament(4, format="swiss", rounds=3)
    cup.rounds.update(started_at=None, starts_at=timezone.now() + timedelta(hours=2))
    now = re.findall(r'id="tournament-now" data-live>(.*?)</p>', html_of(cup))
    assert len(now) == 1
    assert "Round 1 of 3, next <local-time" in now[0]


def test_what_goes_on_comes_first_with_the_match_to_watch_and_the_readers_own_bot() -> None:
    cup = running_tournament(6, format="swiss", rounds=2)
    entry = cup.entries.select_related("bot__owner").order_by("pk")[0]
    author, outsider = Client(), Client()
    author.force_login(entry.bot.owner)
    assert "mini-board" not in html_of(cup)  # nothing is played
    lease = timezone.now() + timedelta(hours=1)
    Match.objects.filter(fixture__round__tournament=cup).update(state="running", lease_expires_at=lease)
    html = html_of(cup, client=author)
    now = html.partition('<section class="happening"')[2].partition("</section>")[0]
    assert html.index('class="happening"') < html.index('id="standings"')
    assert now.count("<svg") >= 1
    assert now.count('<li><a href="/matches/') == 3
    own = f'<strong>{entry.bot.name}</strong></a><span>Points <span class="number" data-copy="s{entry.pk}-points"'
    assert own in now
    assert 'data-every="15"' in html
    assert "own-now" not in html_of(cup, client=outsider)
    over_now = html_of(over(cup), client=author)
    assert '<section class="happening" aria-labelledby="happening" hidden>' in over_now
    assert "own-now" not in over_now


def test_current_matches_do_not_depend_on_the_round_requested() -> None:
    cup = running_tournament(6, format="swiss", rounds=2)
    finish_matches(cup)
    services.tournament_advance(tournament_id=cup.pk)
    lease = timezone.now() + timedelta(hours=1)
    rest = Match.objects.filter(fixture__round__tournament=cup, fixture__round__number=2)
    rest.update(state="running", lease_expires_at=lease)
    author = Client()
    author.force_login(cup.entries.select_related("bot__owner").order_by("pk")[0].bot.owner)

    def now() -> str:
        html = author.get(reverse("tournaments:detail", args=[cup.slug]) + "?round=1").content.decode()
        return html.partition('<section class="happening"')[2].partition("</section>")[0]

    assert now().count('<li><a\n      href="/matches/') == 3
    assert "mini-board" in now()
    assert "Round 1" not in now()
    rest.update(tempo=Broadcast.STORY)
    assert "/matches/" not in now(), "what is played out of sight"


def test_every_section_leads_to_a_place_on_the_page_or_to_a_page() -> None:
    for cup in (
        running_tournament(4),
        running_tournament(4, format="single_elimination"),
        TournamentFactory(entries=2),
    ):
        html = html_of(cup)
        for name, href in sections_of(html).items():
            if href.startswith("#"):
                assert f'id="{href[1:]}"' in html, name
            else:
                assert Client().get(href).status_code == 200, name
    fairness = html_of(cup, "fairness")
    assert 'aria-current="page">Fairness' in fairness
    assert sections_of(fairness)["Rules"] == f"{reverse('tournaments:detail', args=[cup.slug])}#announced"


def test_hashes_stand_on_the_page_of_fairness_alone() -> None:
    cup = running_tournament(3)
    assert cup.commitment not in html_of(cup)
    assert cup.commitment in html_of(cup, "fairness")


@pytest.mark.parametrize(("of", "called"), [("single_elimination", "Final"), ("round_robin", "First against second")])
def test_a_finished_tournament_leads_to_the_match_of_its_first_two(of: str, called: str) -> None:
    cup = over(running_tournament(4, format=of))
    html = html_of(cup)
    first, second = re.findall(r'<li data-place="(?:1|2)">.*?<strong>(.*?)</strong>', html)[:2]
    [decider] = re.findall(r'<div class="decider">(.*?)</div>', html)
    assert called in decider
    assert set(re.findall(r'class="name">(.*?)<', decider)) == {first, second}
    [path] = re.findall(r'href="([^"]*)"', decider)
    match = Match.objects.get(pk=path.strip("/").split("/")[-1])
    assert {seat.version.bot.name for seat in match.seats.all()} == {first, second}


@pytest.mark.parametrize(("has_third_place", "called"), [(True, "First against second"), (False, None)])
def test_no_semifinal_is_called_the_final_after_a_disqualification(has_third_place: bool, called: str | None) -> None:
    cup = running_tournament(4, format="single_elimination", has_third_place=has_third_place)
    seeds = {entry: number for number, entry in enumerate(stage_seeding_of(cup.stage))}
    while cup.state != "finished":
        finish_matches(cup, lambda table: [float(seeds[one] == min(map(seeds.get, table))) for one in table])
        services.tournament_advance(tournament_id=cup.pk)
        cup.refresh_from_db()
    assert '<span class="kicker">Final</span>' in html_of(cup)
    rule(cup, "disqualify", entry=cup.entries.get(pk=min(seeds, key=seeds.__getitem__)))
    decider = re.findall(r'<div class="decider">.*?class="kicker">(.*?)</span>', html_of(cup))
    assert decider == ([called] if called else [])


def test_nothing_leads_to_a_decider_before_the_end() -> None:
    assert "decider" not in html_of(running_tournament(4, format="single_elimination"))


def test_form_shows_the_last_matches_of_each_bot() -> None:
    cup = running_tournament(3)
    assert 'data-form="' not in html_of(cup)
    finish_matches(cup)
    forms = re.findall(r'-form" data-label="Form" data-live>(.*?)</td>', html_of(cup))
    assert sorted(re.findall(r'data-form="(\w+)"', "".join(forms))) == ["lost"] * 3 + ["won"] * 3
    assert all(form.count("<span") == 2 for form in forms)


def test_a_tie_break_without_any_value_has_no_column_once_the_tournament_is_over() -> None:
    cup = running_tournament(3, tie_breaks=["direct_encounter", "lot"])
    assert "tie-break blank" not in html_of(cup)
    blank = re.findall(r'tie-break blank" id="s\d+-(\w+)"', html_of(over(cup)))
    assert blank == ["direct_encounter", "lot"] * 3


def test_an_entered_author_sees_the_entry_and_the_start_time() -> None:
    cup = TournamentFactory(entries=1, first_round_at=timezone.now() + timedelta(hours=2))
    client, own = Client(), cup.entries.first().bot
    client.force_login(own.owner)
    html = html_of(cup, client=client)
    assert "You're in!" in html
    assert own.name in html.partition("You're in!")[2][:200]
    assert f"{reverse('watch:timetable')}?tournament={cup.slug}" in html
    assert "You have no eligible bot for this game" not in html
    client.force_login(UserFactory())
    assert "You have no eligible bot for this game" in html_of(cup, client=client)


def cards() -> str:
    return " ".join(Client().get(reverse("tournaments:list")).content.decode().split())


def test_a_card_names_the_first_three_once_they_are_known_to_everyone() -> None:
    cup = over(running_tournament(4))
    podium = re.findall(r'<ol class="mini-podium">(.*?)</ol>', cards())
    assert len(podium) == 1
    assert re.findall(r'data-place="(\d)"', podium[0]) == ["1", "2", "3"]
    Tournament.objects.filter(pk=cup.pk).update(publication=Publication.HIDDEN)
    assert "mini-podium" not in cards()


def test_a_card_says_how_many_matches_of_a_running_tournament_are_played() -> None:
    cup = running_tournament(4)
    finish_matches(cup, most=2)
    assert "2 of 6 matches played" in cards()
    Tournament.objects.filter(pk=cup.pk).update(publication=Publication.HIDDEN)
    assert "matches played" not in cards()


def test_a_card_says_what_comes_next_and_the_tab_of_open_ones_is_always_there() -> None:
    running_tournament(4, format="swiss", rounds=3)
    assert "Round 1 of 3" in cards()
    assert "Open for entries <span" in cards()
    none = Client().get(reverse("tournaments:list") + "?state=open").content.decode()
    assert "No open tournaments right now" in none
    TournamentFactory(entries_close_at=timezone.now() + timedelta(hours=3))
    assert "Entries close <local-time" in cards()
