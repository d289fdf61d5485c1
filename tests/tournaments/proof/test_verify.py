"""The proof of a tournament that was played as it was announced holds, whatever its format and its rulings."""

import json
from zipfile import ZipFile

import pytest

from bots.deletion import NOBODY
from bots.models import Bot
from games.protocol import Limits
from matches.proof.chain import ProofError
from tests.groups.factories import GroupFactory
from tests.tournaments.factories import EntryFactory, TournamentFactory
from tests.tournaments.proof.events import (
    CRASHES,
    FIRST,
    LAST,
    MIDDLE,
    cup_of,
    entrant,
    play_out,
    play_round,
    with_stage,
)
from tests.tournaments.rulings.rule import fixture_at, rule, take_back
from tournaments.models import Nonce
from tournaments.proof.verify import proof_verify
from tournaments.selectors.entering.editing import tournament_edit_basis
from tournaments.selectors.pages.proof_and_luck import proof_names_shown, tournament_proof_of
from tournaments.services import (
    StagePlan,
    entry_create,
    entry_withdraw,
    tournament_draft_update,
    tournament_edit,
    tournament_lock,
    tournament_open,
    tournament_reopen,
    tournament_resume,
    tournament_start,
    waiting_round_places_swap,
    waiting_round_start,
)
from tournaments.services.luck import luck_nonce_add
from tournaments.services.tournament_chain import tournament_chain_settle

pytestmark = pytest.mark.django_db
FIVE = [FIRST, LAST, MIDDLE, LAST, FIRST]


def proof_file(cup, path):
    tournament_chain_settle(tournament=cup)
    with path.open("wb") as file:
        for piece in tournament_proof_of(cup):
            file.write(piece)
    return path


@pytest.mark.parametrize(
    ("sources", "terms"),
    [
        (FIVE[:4], {"blocks": 2}),
        (FIVE[:4], {"players_per_table": 3}),
        (FIVE[:3], {"admission": "invited"}),
        (FIVE, {"format": "swiss", "rounds": 3}),
        ([*FIVE, LAST], {"format": "swiss", "rounds": 2, "players_per_table": 4, "smallest_table": 3}),
        (FIVE, {"format": "dutch", "rounds": 3}),
        (FIVE, {"format": "dutch_2026", "rounds": 3}),
        (FIVE, {"format": "single_elimination", "has_third_place": True}),
        (FIVE, {"format": "double_elimination"}),
        ([*FIVE, *FIVE], {"format": "heats", "players_per_table": 4, "smallest_table": 3}),
        ([CRASHES, *FIVE[:3]], {"format": "swiss", "rounds": 3}),
        ([CRASHES, *FIVE[:3]], {"blocks": 2}),
    ],
    ids=lambda one: one.get("format", "round_robin") if isinstance(one, dict) else "",
)
def test_what_was_played_as_announced_holds(tmp_path, sources, terms):
    cup = play_out(cup_of(sources, **terms))
    proved = proof_verify(proof_file(cup, tmp_path / "proof.zip"))
    assert (proved.name, proved.entries, proved.ended) == (cup.name, len(sources), True)
    assert proved.matches == cup.fixtures.count()
    assert proved.head == cup.chain.last().digest


def test_terms_that_were_edited_before_and_after_the_first_entry_hold_and_the_last_ones_count(tmp_path):
    cup = tournament_open(tournament=TournamentFactory(state="draft"))
    whole = {"ruleset": "pickomino", "options": {}, "limits": Limits(), "name": "Edited whole"}
    plan = StagePlan(format="swiss", rounds=2)
    cup = tournament_draft_update(tournament=cup, basis=tournament_edit_basis(cup), stages=[plan], **whole)
    for number, source in enumerate(FIVE[:4]):
        EntryFactory(tournament=cup, bot=entrant(f"Bot {number}", source + b"# %d" % number).bot)
    cup = tournament_edit(tournament=cup, basis=tournament_edit_basis(cup), name="Edited twice", admission="invited")
    cup = tournament_reopen(tournament=tournament_lock(tournament=cup))
    cup = tournament_edit(tournament=cup, basis=tournament_edit_basis(cup), entrants_most=5, description="Not a term.")
    cup = play_out(cup)
    assert cup.chain.filter(kind="terms").count() == 4
    proved = proof_verify(proof_file(cup, tmp_path / "proof.zip"))
    assert (proved.name, proved.entries, proved.rounds) == ("Edited twice", 4, 2)


def test_reopened_entries_are_frozen_again_with_another_luck(tmp_path):
    cup = cup_of(FIVE, format="single_elimination")
    tournament_lock(tournament=cup)
    luck_nonce_add(tournament=cup, text="rain", by=cup.organiser)
    left, stays = cup.entries.all()[:2]
    entry_withdraw(entry=left, by=left.bot.owner)
    tournament_reopen(tournament=cup)
    newcomer = entrant("Newcomer").bot
    entry_create(tournament=cup, bot=newcomer, by=newcomer.owner)
    entry_withdraw(entry=stays, by=stays.bot.owner)
    tournament_lock(tournament=cup)
    luck_nonce_add(tournament=cup, text="snow", by=cup.organiser)
    tournament_start(tournament=cup)
    cup.refresh_from_db()
    proved = proof_verify(proof_file(play_out(cup), tmp_path / "proof.zip"))
    assert (proved.entries, len(proved.commitments)) == (4, 2)
    assert cup.chain.filter(kind="unlocked").count() == 1
    played = set(cup.fixtures.values_list("match__seats__version__bot__name", flat=True))
    assert played == {"Bot 3", "Bot 4", "Bot 5", "Newcomer"}


def test_what_an_author_with_an_alias_adds_to_the_luck_holds_without_the_account(tmp_path):
    cup = cup_of(FIVE, format="single_elimination")
    bot, other = (entry.bot for entry in cup.entries.select_related("bot__owner")[:2])
    Bot.objects.filter(pk=bot.pk).update(author_alias="Wren 12", alias_group=GroupFactory.create())
    tournament_lock(tournament=cup)
    for one in (bot, other):
        luck_nonce_add(tournament=cup, text=f"rain of {one.pk}", by=one.owner)
    tournament_start(tournament=cup)
    cup.refresh_from_db()
    file = proof_file(play_out(cup), tmp_path / "proof.zip")
    assert proof_verify(file).ended
    with ZipFile(file) as archive:
        names = {whose: named["name"] for whose, named in json.loads(archive.read("names.json")).items()}
        chain = archive.read("chain.jsonl").decode()
    people = {whose: name for whose, name in names.items() if not whose.startswith("entry/")}
    assert people == {f"alias/{bot.owner.nonces.get().pk}": "Wren 12", f"person/{other.owner_id}": other.owner.username}
    assert f'person/{bot.owner_id}"' not in chain
    nonce = bot.owner.nonces.get()
    Nonce.objects.filter(pk=nonce.pk).update(by=None)  # the account is deleted
    assert proof_names_shown(cup)[f"alias/{nonce.pk}"] == NOBODY


def test_a_swiss_whose_field_and_rounds_change_and_a_knockout_of_the_best_hold(tmp_path):
    cup = cup_of([*FIVE, MIDDLE, LAST], format="swiss", rounds=4, has_round_review=True)
    with_stage(cup, format="single_elimination", entrants=4)
    tournament_start(tournament=cup)
    cup.refresh_from_db()
    waiting = cup.rounds.get()
    one, other = (fixture_at(cup, 1, table).match.seats.first().version.entries.get() for table in (1, 2))
    waiting_round_places_swap(played=waiting, one=one, other=other, by=cup.organiser)
    waiting_round_start(played=waiting)
    leaving = cup.entries.last()
    entry_withdraw(entry=leaving, by=leaving.bot.owner)
    newcomer = entrant("Newcomer").bot
    entry_create(tournament=cup, bot=newcomer, by=newcomer.owner)
    play_out(cup)
    assert proof_verify(proof_file(cup, tmp_path / "proof.zip")).entries == 8


def test_a_round_that_waited_is_drawn_again_upon_a_ruling_and_no_other_round_would_hold(tmp_path, monkeypatch):
    cup = cup_of([*FIVE, MIDDLE, LAST, FIRST], format="swiss", rounds=3, has_round_review=True)
    tournament_start(tournament=cup)
    cup.refresh_from_db()
    waiting_round_start(played=cup.rounds.get())
    play_round(cup)
    seated = fixture_at(cup, 2, 1).match.seats.first().version.entries.get()
    rule(cup, "disqualify", entry=seated, annul=False, reason="It read the clock.")
    take_back(cup, reason="It did not.")
    rule(cup, "disqualify", entry=seated, annul=False, reason="It did.")
    proof = proof_file(play_out(cup), tmp_path / "proof.zip")
    assert proof_verify(proof).rounds == 3
    monkeypatch.setattr("tournaments.proof.ruling_changes.draw_position_next_rounds", lambda _position: [])
    with pytest.raises(ProofError, match="round 2 is not the one that follows from the links before"):
        proof_verify(proof)


def ruled(cup):
    """A Swiss with byes, a withdrawal, a void, a replay, a disqualification taken back; then a knockout."""
    with_stage(cup, format="single_elimination", entrants=4)
    tournament_start(tournament=cup)
    play_round(cup, most=1)
    rule(cup, "void", fixture=fixture_at(cup, 1, 2), reason="The power failed.")
    play_round(cup)
    rule(cup, "replay", fixture=fixture_at(cup, 1, 1), reason="A cable was loose.")
    out = cup.entries.order_by("pk")[2]
    rule(cup, "disqualify", entry=out, annul=True, reason="It read the clock.")
    take_back(cup, reason="It did not.")
    leaving = cup.entries.order_by("pk")[0]
    entry_withdraw(entry=leaving, by=leaving.bot.owner)
    play_out(cup)
    return cup


def test_rulings_hold_and_what_followed_from_them(tmp_path):
    cup = ruled(cup_of([*FIVE, MIDDLE, LAST], format="swiss", rounds=3))
    proved = proof_verify(proof_file(cup, tmp_path / "proof.zip"))
    assert proved.rulings == 4


def test_rulings_after_the_end_hold(tmp_path):
    cup = cup_of([*FIVE, LAST], format="swiss", rounds=2)
    play_out(with_stage(cup, format="double_elimination", entrants=4))
    rule(cup, "note", reason="Well played.")
    rule(cup, "reopen", reason="A result was wrong.")
    rule(cup, "replay", fixture=fixture_at(cup, 3, 1), reason="Once more.")
    luck_nonce_add(tournament=cup, text="rain at noon", by=cup.organiser)
    tournament_resume(tournament=cup)
    cup.refresh_from_db()
    play_out(cup)
    rule(cup, "disqualify", entry=cup.entries.last(), reason="Too late, but still.")
    proved = proof_verify(proof_file(cup, tmp_path / "proof.zip"))
    assert proved.rulings == 4
