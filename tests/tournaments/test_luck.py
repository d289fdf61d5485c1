"""Luck that nobody can know: what it is made of, who adds to it and when, and that no secret is shown too early."""

import json
from hashlib import blake2b, sha256

import pytest
from django.test import Client
from django.urls import reverse

from arena.accounts.tokens import token_create
from games.contest_luck import contest_luck_lot, contest_luck_mixed, entries_digest
from games.dealer import block_seed
from matches.models import Match
from matches.services import matches_reseed
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.tournaments.factories import (
    SECRET,
    TournamentFactory,
    finish_matches,
    running_tournament,
)
from tests.tournaments.rulings.rule import fixture_at, rule
from tournaments import services
from tournaments.errors import NonceRefused
from tournaments.models import Luck, Publication, Tournament
from tournaments.proof.verify import proof_verify
from tournaments.selectors.pages.proof_and_luck import tournament_lucks_shown, tournament_proof_of
from tournaments.selectors.rounds.stages import stage_first_seeds

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("sent")]


def reloaded(cup):
    return Tournament.objects.get(pk=cup.pk)


def locked_cup(entries=3, **fields):
    return services.tournament_lock(tournament=TournamentFactory(entries=entries, **fields))


def add(cup, text, by=None):
    return services.luck_nonce_add(tournament=cup, text=text, by=by or cup.organiser)


def seeds_of(cup):
    return [bytes(secret) for secret in cup.fixtures.values_list("match__secret", flat=True)]


def refused(cup, text="dice: 4 2 6", by=None):
    with pytest.raises(NonceRefused) as refusal:
        add(cup, text, by)
    return str(refusal.value)


# --- the function ----------------------------------------------------------------------------------------------------


def test_luck_is_what_the_docstrings_let_anyone_compute():
    digest = sha256(b'[[1,"ab"],[20,"cd"]]').hexdigest()
    assert entries_digest({20: "cd", 1: "ab"}) == digest
    message = f'["pecking-order-luck/1","{digest}",["4 2 6","\\u00e9"]]'.encode()
    assert (
        contest_luck_mixed(b"secret", digest, ["4 2 6", "é"])
        == blake2b(message, key=blake2b(b"secret").digest(), digest_size=32).digest()
    )
    with pytest.raises(ValueError, match="empty"):
        contest_luck_mixed(b"", digest)


def test_every_part_of_it_matters_and_none_runs_into_another():
    lists = [[], [""], ["a", "b"], ["b", "a"], ["ab"], ['a","b'], ["a,b"], ["a", "b", ""]]
    made = {
        contest_luck_mixed(secret, entries, nonces)
        for secret in (b"a", b"b")
        for entries in ("", "e")
        for nonces in lists
    }
    assert len(made) == 2 * 2 * len(lists)


# --- who adds to it, and when -----------------------------------------------------------------------------------------


def test_what_several_people_add_is_mixed_in_the_order_in_which_it_came_and_nothing_is_replaced():
    cup = locked_cup()
    entrant, arbiter = cup.entries.first().bot.owner, UserFactory()
    cup.arbiters.add(arbiter)
    for person, text in ((entrant, "first"), (arbiter, " second "), (cup.organiser, "third")):
        add(cup, text, person)
    assert "already" in refused(cup, by=entrant)
    services.tournament_start(tournament=cup)
    entries = dict(cup.entries.values_list("pk", "version__sha256"))
    value = contest_luck_mixed(SECRET, entries_digest(entries), ["first", "second", "third"])
    for fixture in cup.fixtures.select_related("round", "match"):
        place = "match", fixture.round.number, fixture.table
        assert bytes(fixture.match.secret) == block_seed(value, *place)
    assert stage_first_seeds(cup.stage, entries) == sorted(
        entries, key=lambda one: contest_luck_lot(value, "seeding", one)
    )


def test_nothing_is_added_before_the_freeze_after_the_start_or_by_outsiders():
    cup = TournamentFactory(entries=3)
    assert "not closed" in refused(cup)
    services.tournament_lock(tournament=cup)
    for text in ("", "  ", "x" * 101, "a\x00b", "a\nb", "\u202e"):
        assert "printable" in refused(cup, text)
    assert "Only entrants" in refused(cup, by=UserFactory())
    assert "Only entrants" in refused(cup, by=OrganiserFactory())
    services.tournament_start(tournament=cup)
    assert "begun" in refused(cup)
    assert cup.luck.nonces.count() == 0
    cancelled = locked_cup()
    services.tournament_cancel(tournament=cancelled)
    assert "begun" in refused(cancelled)


def test_the_page_takes_it_shows_who_and_when_and_says_honestly_if_nobody_did():
    cup = locked_cup()
    entrant, page, client = cup.entries.first().bot.owner, reverse("tournaments:fairness", args=[cup.slug]), Client()
    assert "No outside randomness yet" in client.get(page).content.decode()
    client.force_login(entrant)
    assert 'name="text"' in client.get(page).content.decode()
    wrong = client.post(reverse("tournaments:add-luck", args=[cup.slug]), {"text": "é" * 101})
    assert (wrong.status_code, "é" * 101 in wrong.content.decode()) == (422, True)
    assert client.post(reverse("tournaments:add-luck", args=[cup.slug]), {"text": "dice: <6>"}).status_code == 302
    shown = client.get(page).content.decode()
    assert "dice: &lt;6&gt;" in shown
    assert 'name="text"' not in shown
    assert client.post(reverse("tournaments:add-luck", args=[cup.slug]), {"text": "more"}).status_code == 422
    data = Client().get(f"/api/tournaments/{cup.slug}/").json()["luck"]
    assert [(one["number"], one["secret"], one["started_at"]) for one in data] == [(1, "", None)]
    assert [(one["text"], one["by"]) for one in data[0]["nonces"]] == [("dice: <6>", entrant.username)]
    services.tournament_start(tournament=cup)
    assert "No outside randomness" not in client.get(page).content.decode()
    alone = running_tournament(3)
    body = Client().get(reverse("tournaments:fairness", args=[alone.slug])).content.decode()
    assert "No outside randomness was added" in body


def test_what_a_deleted_account_has_added_still_counts():
    cup = locked_cup()
    arbiter = UserFactory()
    cup.arbiters.add(arbiter)
    add(cup, "of nobody", arbiter)
    value = cup.luck.value
    arbiter.delete()
    assert reloaded(cup).luck.value == value
    assert "deleted account" in Client().get(reverse("tournaments:fairness", args=[cup.slug])).content.decode()


# --- attacks ----------------------------------------------------------------------------------------------------------


def test_the_secret_before_the_freeze_gives_no_seed_of_another_field():
    """One field, one secret, another package of one bot: nothing is the same."""
    one, other = running_tournament(4), running_tournament(4)
    assert bytes(one.luck.secret) == bytes(other.luck.secret)
    assert not set(seeds_of(one)) & set(seeds_of(other))
    known = {block_seed(SECRET, "match", number, table) for number in range(1, 4) for table in range(1, 3)}
    assert not known & set(seeds_of(one))


def test_the_secret_and_the_entries_give_no_seed_before_the_last_nonce():
    cup = locked_cup()
    without = contest_luck_mixed(SECRET, cup.luck.entries_digest)
    add(cup, "4 2 6")
    services.tournament_start(tournament=cup)
    assert block_seed(without, "match", 1, 1) not in seeds_of(cup)
    assert block_seed(contest_luck_mixed(SECRET, cup.luck.entries_digest, ["4 2 6"]), "match", 1, 1) in seeds_of(cup)


def test_leaving_between_the_freeze_and_the_start_changes_nothing():
    cup = locked_cup(4)
    digest, value = cup.luck.entries_digest, cup.luck.value
    entry = cup.entries.last()
    services.entry_withdraw(entry=entry, by=entry.bot.owner)
    services.tournament_start(tournament=cup)
    assert (cup.luck.entries_digest, cup.luck.value) == (digest, value)
    assert [entry.pk, entry.bot.current.sha256] in cup.luck.entries


def addresses_of(cup):
    names = [("detail",), ("live",), ("fairness",), ("rulings",), ("tie-breaks",), ("ratings",), ("rulings-export",)]
    names += [("export", name) for name in ("tournament.json", "standings.csv", "fixtures.csv", "proof.zip")]
    api = [("detail",), ("entries",), ("rounds",), ("standings",), ("rulings",), ("matches",), ("round", 1)]
    return [reverse(f"tournaments:{name}", args=[cup.slug, *more]) for name, *more in names] + [
        reverse(f"api-tournaments:{name}", args=[cup.slug, *more]) for name, *more in api
    ]


def addresses_with(cup, secret):
    """Every address at which a member of staff, who sees all there is, finds the secret."""
    client = Client()
    client.force_login(UserFactory(is_staff=True))
    forms = {bytes(secret), bytes(secret).hex().encode(), json.dumps(list(bytes(secret))).encode()}
    return {one for one in addresses_of(cup) if any(form in b"".join(client.get(one)) for form in forms)}


@pytest.mark.exhaustive
def test_a_secret_in_use_is_shown_nowhere_and_after_the_end_on_page_api_and_proof():
    cup = TournamentFactory(entries=3, secret=b"k" * 32)
    for step in (services.tournament_lock, services.tournament_start, services.tournament_pause):
        assert addresses_with(cup, b"k" * 32) == set()
        step(tournament=cup)
    assert addresses_with(cup, b"k" * 32) == set()
    services.tournament_resume(tournament=cup)
    finish_matches(cup)
    services.tournament_advance(tournament_id=cup.pk)
    found = {one.rpartition("export/")[2] for one in addresses_with(cup, b"k" * 32)}
    assert {"tournament.json", f"/tournaments/{cup.slug}/fairness/", f"/api/tournaments/{cup.slug}/"} <= found


def test_after_a_reopening_what_is_replayed_has_the_luck_of_another_secret_that_nobody_knows():
    cup = running_tournament(3)
    finish_matches(cup)
    services.tournament_advance(tournament_id=cup.pk)
    order = stage_first_seeds(cup.stage, cup.entries.values_list("pk", flat=True))
    rule(cup, "reopen")
    cup = reloaded(cup)
    first, second = cup.lucks.all()
    assert (bytes(first.secret) != bytes(second.secret), second.started_at, len(second.entries)) == (True, None, 3)
    assert [bool(one.secret) for one in tournament_lucks_shown(cup.organiser, cup)] == [True, False]
    rule(cup, "replay", fixture=fixture_at(cup, 1, 1))
    before = bytes(fixture_at(cup, 1, 1).match.secret)
    add(cup, "rain at noon", cup.entries.first().bot.owner)
    services.tournament_resume(tournament=cup)
    assert "begun" in refused(cup)
    again = fixture_at(cup, 1, 1)
    value = contest_luck_mixed(bytes(second.secret), second.entries_digest, ["rain at noon"])
    assert (again.luck, bytes(again.match.secret)) == (2, block_seed(value, "match", 1, 1, 2))
    assert bytes(again.match.secret) != before
    assert block_seed(first.value, "match", 1, 1, 2) != bytes(again.match.secret)
    assert addresses_with(cup, second.secret) == set()
    assert stage_first_seeds(reloaded(cup).stage, order) == order
    services.tournament_pause(tournament=cup)
    services.tournament_resume(tournament=cup)
    assert bytes(fixture_at(cup, 1, 1).match.secret) == block_seed(value, "match", 1, 1, 2)
    finish_matches(cup)
    services.tournament_advance(tournament_id=cup.pk)
    cup = reloaded(cup)
    assert [bool(one.secret) for one in tournament_lucks_shown(cup.organiser, cup)] == [True, True]
    assert b"".join(tournament_proof_of(cup))


@pytest.mark.parametrize("publication", Publication.values)
def test_a_cancelled_tournament_reveals_its_secret_to_readers_of_its_results(publication, tmp_path):
    cup = running_tournament(3, publication=publication, secret=b"q" * 32)
    services.tournament_cancel(tournament=cup)
    cup = reloaded(cup)
    outsider, entrant = UserFactory(), cup.entries.first().bot.owner
    may = {"everyone": (True, True, True), "participants": (False, True, True), "hidden": (False, False, True)}
    for person, allowed in zip((outsider, entrant, cup.organiser), may[publication], strict=True):
        client = Client()
        client.force_login(person)
        token = {"authorization": f"Token {token_create(owner=person, name='home')}"}
        page = client.get(f"/tournaments/{cup.slug}/fairness/")
        answer = client.get(f"/api/tournaments/{cup.slug}/", headers=token).json()
        proof = client.get(reverse("tournaments:export", args=[cup.slug, "proof.zip"]))
        shown = (b"q" * 32).hex()
        assert (shown in page.content.decode(), answer["luck"][0]["secret"] == shown) == (allowed, allowed)
        assert (proof.status_code == 200, bool(answer["secret"])) == (allowed, allowed)
    (tmp_path / "proof.zip").write_bytes(b"".join(tournament_proof_of(cup)))
    proved = proof_verify(tmp_path / "proof.zip")
    assert (proved.ended, proved.commitments) == (False, (sha256(b"q" * 32).hexdigest(),))


def test_tournaments_started_before_nonces_existed_use_the_secret_alone():
    cup = running_tournament(3)
    Luck.objects.filter(tournament=cup).update(entries=None, frozen_digest="", frozen_at=None)
    assert reloaded(cup).luck.value == SECRET
    assert "from the secret alone" in Client().get(reverse("tournaments:fairness", args=[cup.slug])).content.decode()
    finish_matches(cup)
    services.tournament_advance(tournament_id=cup.pk)


def test_matches_that_have_begun_keep_their_seeds():
    cup = running_tournament(2)
    match = Match.objects.get()
    matches_reseed(secrets={match.pk: bytes(32)})
    assert bytes(Match.objects.get().secret) == bytes(match.secret)
    services.tournament_pause(tournament=cup)
    Match.objects.update(attempt=1)
    matches_reseed(secrets={match.pk: bytes(32)})
    assert bytes(Match.objects.get().secret) == bytes(match.secret)


def test_entrants_are_those_with_a_bot_that_is_in():
    cup = locked_cup(4)
    leaving = cup.entries.last()
    services.entry_withdraw(entry=leaving, by=leaving.bot.owner)
    assert "Only entrants" in refused(cup, by=leaving.bot.owner)
