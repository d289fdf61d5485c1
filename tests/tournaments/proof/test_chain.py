"""The chain: each event is recorded once, in the transaction in which it happens."""

import json

import pytest
from django.db import IntegrityError, transaction

from matches.models import Match
from matches.proof.chain import FIRST as BEGINNING
from matches.proof.chain import Link, chain_canonical_json, chain_name_digest
from tests.tournaments.factories import EntryFactory, TournamentFactory, running_tournament
from tests.tournaments.proof.events import CRASHES, FIRST, LAST, MIDDLE, cup_of, play, play_out, play_round, with_stage
from tests.tournaments.rulings.rule import fixture_at, rule
from tournaments.models import ChainLink, Entry, SealedName
from tournaments.services import (
    entry_withdraw,
    forbidden_pair_create,
    forbidden_pair_remove,
    tournament_cancel,
    tournament_chain_results_append,
    tournament_lock,
    tournament_open,
    tournament_start,
    tournaments_tend,
)

pytestmark = pytest.mark.django_db


def kinds(cup):
    return list(cup.chain.values_list("kind", flat=True))


def links_of(cup, kind):
    return [json.loads(content) for content in cup.chain.filter(kind=kind).values_list("content", flat=True)]


def test_every_link_holds_the_digest_of_the_one_before_and_its_own_bytes():
    cup = play_out(cup_of([FIRST, LAST, MIDDLE]))
    previous = BEGINNING
    for number, row in enumerate(cup.chain.all(), start=1):
        link = Link(row.number, row.kind, row.at, row.content, row.previous)
        assert (row.number, row.previous, row.digest) == (number, previous, link.digest)
        assert row.content == chain_canonical_json(json.loads(row.content))
        previous = row.digest
    ats = list(cup.chain.values_list("at", flat=True))
    assert ats == sorted(ats)


def test_the_chain_of_a_round_robin_records_terms_entries_draws_results_and_end():
    cup = TournamentFactory(state="draft", players_per_table=2)
    tournament_open(tournament=cup)
    assert kinds(cup) == ["terms", "secret"]
    EntryFactory.create_batch(3, tournament=cup)
    tournament_lock(tournament=cup)
    assert kinds(cup) == ["terms", "secret", "frozen"]
    play_out(cup) if cup.state == "open" else tournament_start(tournament=cup)
    play_round(cup)
    assert kinds(cup)[3:] == ["stage", *["round"] * 3, *["result"] * 3, "stage_end", "end"]
    (frozen,) = links_of(cup, "frozen")
    entries = {entry.pk: entry for entry in cup.entries.select_related("version", "bot")}
    for one in frozen["entries"]:
        assert one["package"] == entries[one["entry"]].version.sha256
        sealed = SealedName.objects.get(whose=f"entry/{one['entry']}")
        assert one["name"] == chain_name_digest(sealed.salt, entries[one["entry"]].bot.name) == sealed.digest


def test_results_are_recorded_once_by_any_number_of_calls():
    cup = cup_of([FIRST, LAST, MIDDLE])
    tournament_start(tournament=cup)
    match = Match.objects.filter(fixture__round__tournament=cup).first()
    play(match)
    assert tournament_chain_results_append(tournament_id=cup.pk) == 1
    assert tournament_chain_results_append(tournament_id=cup.pk) == 0
    play_out(cup)
    assert kinds(cup).count("result") == 3
    with pytest.raises(IntegrityError), transaction.atomic():
        ChainLink.objects.create(tournament=cup, number=999, kind="result", match=match, previous="x", digest="y")


def test_a_killed_append_leaves_nothing_and_the_next_one_records_all(monkeypatch):
    cup = cup_of([FIRST, LAST, MIDDLE])
    tournament_start(tournament=cup)
    for match in Match.objects.filter(fixture__round__tournament=cup):
        play(match)
    before = kinds(cup)
    made: list[object] = []

    def killed(content):
        made.append(content)
        if len(made) == 2:
            raise KeyboardInterrupt
        return chain_canonical_json(content)

    monkeypatch.setattr("tournaments.services.tournament_chain.chain_canonical_json", killed)
    with pytest.raises(KeyboardInterrupt):
        tournament_chain_results_append(tournament_id=cup.pk)
    assert kinds(cup) == before
    tournaments_tend()
    assert kinds(cup)[len(before) :] == [*["result"] * 3, "stage_end", "end"]


def test_faults_are_recorded_with_seat_verdict_action_and_a_digest_of_the_detail():
    cup = play_out(cup_of([LAST, CRASHES]))
    (result,) = links_of(cup, "result")
    crashed = result["seats"].index(cup.entries.get(bot__name="Bot 2").pk)
    verdicts = []
    for game in result["games"]:
        (fault,) = game["faults"]
        assert fault["seat"] == crashed
        assert len(fault["said"]) == len(game["record"]) == 64
        verdicts.append(fault["verdict"])
    assert verdicts == ["crashed", "forfeited"]


def test_withdrawals_late_entries_and_forbidden_pairs_are_recorded():
    cup = cup_of([FIRST, LAST, MIDDLE, LAST, FIRST], format="swiss", rounds=4)
    tournament_lock(tournament=cup)
    early = cup.entries.first()
    entry_withdraw(entry=early, by=early.bot.owner)
    tournament_start(tournament=cup)
    one, other = cup.entries.filter(is_withdrawn=False)[:2]
    pair = forbidden_pair_create(tournament=cup, one=one, other=other)
    forbidden_pair_remove(pair=pair)
    entry_withdraw(entry=one, by=one.bot.owner)
    assert links_of(cup, "left") == [{"entry": early.pk, "why": "withdrawn"}, {"entry": one.pk, "why": "withdrawn"}]
    assert links_of(cup, "apart") == links_of(cup, "meet") == [{"one": one.pk, "other": other.pk}]


def test_rulings_are_recorded_with_their_reason_and_their_effects():
    cup = with_stage(cup_of([FIRST, LAST, MIDDLE, LAST], format="swiss", rounds=1), format="single_elimination")
    tournament_start(tournament=cup)
    play_round(cup)
    play_round(cup)
    rule(cup, "replay", fixture=fixture_at(cup, 1, 1), reason="A cable was loose.")
    (ruling,), (effects,) = links_of(cup, "ruling"), links_of(cup, "effects")
    assert (ruling["kind"], ruling["match"], ruling["reason"]) == ("replay", [1, 1, 1], "A cable was loose.")
    assert [1, 1, 1] in effects["undone"]
    assert [one["place"] for one in effects["drawn"]] == [[1, 1, 2]]
    assert effects["rewound"] == []  # the next stage stands until the replay has shown who goes on
    assert cup.organiser.username not in "".join(cup.chain.values_list("content", flat=True))


def test_a_cancelled_tournament_says_so_last():
    cup = running_tournament(3)
    tournament_cancel(tournament=cup)
    assert kinds(cup)[-1] == "cancelled"


def test_a_tournament_from_before_the_chain_gets_none():
    cup = running_tournament(3)
    cup.chain.all().delete()
    play_out(cup)
    assert not kinds(cup)


def test_a_link_is_never_changed():
    cup = running_tournament(3)
    link = cup.chain.first()
    link.kind = "other"
    with pytest.raises(TypeError, match="never changed"):
        link.save()


def test_a_bot_that_was_deleted_leaves_a_chain_that_does_not_name_it():
    cup = running_tournament(3)
    entry = Entry.objects.filter(tournament=cup).first()
    assert entry.bot.name not in "".join(cup.chain.values_list("content", flat=True))
