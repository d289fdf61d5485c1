"""What chess players know: a stage paired by FIDE's rules, and the report file of any stage at tables of two."""

from collections import Counter
from dataclasses import replace

import pytest
from django.urls import reverse

from tests.arena.pages import assert_clean_page
from tests.tournaments.factories import EntryFactory, TournamentFactory, bot_of, finish_matches, running_tournament
from tests.tournaments.test_swiss import no_broker, pairs_of, play_round  # noqa: F401  a fixture
from tournaments import services
from tournaments.errors import TooManyForFormat
from tournaments.formats import DutchError
from tournaments.formats.dutch import format as dutch_format
from tournaments.formats.dutch.pairing import DutchFailure
from tournaments.formats.registry import FORMATS
from tournaments.selectors.rounds.stages import stage_byes_of
from tournaments.selectors.standings.ranking import standings_of
from tournaments.services.forbidden_pairs import forbidden_pair_create

pytestmark = pytest.mark.django_db
needs_library = pytest.mark.skipif(not FORMATS["dutch"].is_offered, reason="no wheel for this machine")


def dutch(entries=8, rounds=3, **fields):
    return running_tournament(entries, format="dutch", rounds=rounds, **fields)


@needs_library
def test_a_stage_by_fides_rules_is_played_to_the_end_with_byes_late_comers_and_leavers(client):
    cup = dutch(7, rounds=4)
    late = services.entry_create(tournament=cup, bot=bot_of(cup.organiser), by=cup.organiser)
    play_round(cup)
    first = cup.byes.get()
    assert (first.round.number, first.points) == (1, 1)
    services.entry_withdraw(entry=cup.entries.exclude(pk__in=[late.pk, first.entry_id]).first(), by=cup.organiser)
    for _ in range(3):
        play_round(cup)
    assert (cup.state, cup.stage.drawn) == ("finished", 4)
    assert max(pairs_of(cup).values()) == 1
    assert len(set(cup.byes.values_list("entry_id", flat=True))) == cup.byes.count()
    shown = client.get(reverse("tournaments:pairings", args=[cup.slug, 2]))
    assert_clean_page(shown)
    assert "FIDE's Dutch system drew this round" in shown.content.decode()


@needs_library
@pytest.mark.parametrize(
    ("score", "told"),
    [
        (0, "Bots that had a bye or won by a forfeit do not get it. Of the others, none had fewer points than its 0."),
        (0.5, "Its points were ½; bots with 0 had won by a forfeit, or were needed to pair the others."),
    ],
)
def test_a_bye_and_a_second_meeting_are_explained_by_fides_rules(client, score, told):
    cup = dutch(5)
    bye, fixture = cup.byes.get(), cup.fixtures.first()
    bye.reasons |= {"score": score}
    bye.save(update_fields=["reasons"])
    one, other = (chair["entrant"] for chair in fixture.reasons["chairs"])
    fixture.reasons |= {"repeated": [{"one": one, "other": other, "times": 1}]}  # by a match that was forfeited
    fixture.save(update_fields=["reasons"])
    text = " ".join(client.get(reverse("tournaments:pairings", args=[cup.slug, 1])).text.split())
    assert told in text
    assert "had each other before, in a match that was forfeited" in text
    assert "By these rules a forfeited match is no meeting" in text
    assert "rematches" not in text
    assert "no round without a rematch" not in text


@pytest.mark.parametrize("kind", ["dutch", "dutch_2026"])
def test_four_bots_with_five_announced_rounds_are_told_why_there_were_three(client, kind):
    if not FORMATS[kind].is_offered:
        pytest.skip("no wheel for this machine")
    cup = running_tournament(4, format=kind, rounds=5)
    for _ in range(3):
        assert "allow no further round" not in client.get(reverse("tournaments:detail", args=[cup.slug])).text
        play_round(cup)
    assert (cup.state, cup.stage.drawn) == ("finished", 3)
    text = client.get(reverse("tournaments:detail", args=[cup.slug])).text
    assert "It ended after round 3 of 5: FIDE&#x27;s rules allow no further round" in text
    (stage,) = client.get(f"/api/tournaments/{cup.slug}/").json()["stages"]
    assert stage["ended_early"].startswith("It ended after round 3 of 5: FIDE's rules allow no further round")


def test_a_swiss_that_was_left_by_nearly_all_says_so(client):
    cup = running_tournament(3, format="swiss", rounds=3)
    for entry in cup.entries.all()[:2]:
        services.entry_withdraw(entry=entry, by=cup.organiser)
    play_round(cup)
    assert cup.state == "finished"
    assert "fewer bots were left than a table needs" in client.get(reverse("tournaments:detail", args=[cup.slug])).text


@pytest.mark.skipif(not FORMATS["dutch_2026"].is_offered, reason="the library is not installed")
def test_the_edition_of_the_rules_is_chosen_and_on_the_page(client):
    cup = running_tournament(7, format="dutch_2026", rounds=2)
    for _ in range(2):
        assert not any("failure" in fixture.reasons for fixture in cup.fixtures.all())
        play_round(cup)
    assert cup.state == "finished"
    text = client.get(reverse("tournaments:detail", args=[cup.slug])).text
    assert "FIDE Dutch, rules of 2026" in text
    assert "in force since 1 February 2026" in text
    assert "until 31 January 2026" not in text


def test_more_bots_than_the_rules_can_be_applied_to_in_time_are_refused(monkeypatch):
    monkeypatch.setitem(FORMATS, "dutch_2026", replace(FORMATS["dutch_2026"], entrants_most=4))
    cup = TournamentFactory(entries=5, format="dutch_2026", rounds=2)
    with pytest.raises(TooManyForFormat, match="4 bots at most, and 5 entered"):
        services.tournament_start(tournament=cup)
    cup.refresh_from_db()
    assert cup.state == "open"


@needs_library
def test_when_no_round_is_allowed_any_more_the_tournament_is_over():
    cup = dutch(2, rounds=3)
    play_round(cup)
    assert (cup.state, cup.stage.drawn) == ("finished", 1)


def test_our_own_swiss_draws_the_round_that_the_library_does_not_and_says_so(client, monkeypatch):
    def fails(*_args, **_named):
        raise DutchError(DutchFailure.TOO_SLOW, 6)

    monkeypatch.setattr(dutch_format, "dutch_round", fails)
    cup = dutch(6, rounds=2)
    for _ in range(2):
        play_round(cup)
    assert cup.state == "finished"
    assert {fixture.reasons["failure"] for fixture in cup.fixtures.all()} == {"too_slow"}
    shown = client.get(reverse("tournaments:pairings", args=[cup.slug, 1])).content.decode()
    assert "so our own Swiss did" in shown


@pytest.mark.parametrize(("kind", "rounds"), [("swiss", 3), ("round_robin", 0), ("single_elimination", 0)])
def test_another_program_reads_the_report_of_a_stage(client, kind, rounds, tmp_path):
    trf = pytest.importorskip("py4swiss.trf", reason="no wheel for this machine")
    cup = running_tournament(5, format=kind, rounds=rounds)
    while cup.state == "running":
        finish_matches(cup)
        services.tournament_advance(tournament_id=cup.pk)
        cup.refresh_from_db()
    answer = client.get(reverse("tournaments:report", args=[cup.slug, 1]))
    assert answer["Content-Disposition"] == f'attachment; filename="{cup.slug}-stage-1.trf"'
    file = tmp_path / "cup.trf"
    file.write_bytes(answer.getvalue())
    read = trf.TrfParser.parse(file, strict=True)
    bots = {entry.pk: entry.bot.name for entry in cup.entries.all()}
    byes = Counter(
        bye.entrant for bye in stage_byes_of(cup.stage) if not bye.points
    )  # of a bracket: a win in the file alone
    assert {(one.name, one.points_times_ten, one.rank) for one in read.player_sections} == {
        (bots[row.entrant], 10 * (row.points + byes[row.entrant]), row.rank) for row in standings_of(cup.stage)
    }
    assert read.tournament_section.tournament_name == cup.name


def test_the_report_of_a_round_being_played_ends_before_it(client):
    cup = running_tournament(4, format="swiss", rounds=3)
    play_round(cup)
    finish_matches(cup, most=1)
    rows = [
        line
        for line in client.get(reverse("tournaments:report", args=[cup.slug, 1])).getvalue().decode().splitlines()
        if line[:3] == "001"
    ]
    assert {len(row) for row in rows} == {99}


def test_larger_tables_have_no_such_report_and_a_draft_has_none(client):
    cup = running_tournament(4, players_per_table=4)
    assert client.get(reverse("tournaments:report", args=[cup.slug, 1])).status_code == 404
    waiting = EntryFactory().tournament
    assert client.get(reverse("tournaments:report", args=[waiting.slug, 1])).status_code == 404


@needs_library
@pytest.mark.parametrize(("entries", "meet"), [(6, False), (2, True)])
def test_who_is_kept_apart_meets_only_if_fides_rules_allow_no_other_round(entries, meet):
    cup = TournamentFactory(entries=entries, format="dutch", rounds=2)
    one, other = cup.entries.all()[:2]
    forbidden_pair_create(tournament=cup, one=one, other=other)
    services.tournament_start(tournament=cup)
    play_round(cup)
    pair = frozenset(cup.entries.filter(pk__in=[one.pk, other.pk]).values_list("version_id", flat=True))
    assert (pair in pairs_of(cup)) == meet


@pytest.mark.parametrize("name", ["report", "bracket"])
def test_who_may_not_see_results_gets_neither_report_nor_bracket(client, name):
    cup = running_tournament(4, format="single_elimination", publication="hidden")
    assert client.get(reverse(f"tournaments:{name}", args=[cup.slug, 1])).status_code == 403
