"""Bots of one author, and groups that the organiser names, are kept apart in rounds drawn by standings."""

import random
import re

import pytest
from django.urls import reverse

from tests.arena.factories import OrganiserFactory, UserFactory
from tests.arena.openapi import as_described
from tests.arena.pages import assert_clean_page
from tests.bots.test_permissions import token_of
from tests.tournaments.factories import EntryFactory, TournamentFactory, bot_of, finish_matches
from tests.tournaments.proof.events import LAST, cup_of, play_out, with_stage
from tests.tournaments.proof.forging import Parts
from tests.tournaments.proof.test_verify import proof_file
from tests.tournaments.test_forms import typed
from tournaments import services
from tournaments.formats.swiss.format import is_late_swiss_round
from tournaments.models import KeptGroup, Tournament
from tournaments.proof.verify import proof_verify
from tournaments.selectors.rounds.stages import stage_first_seeds
from tournaments.selectors.standings.ranking import standings_of
from tournaments.services.forbidden_pairs import PairRefused
from tournaments.tasks import tournament_match_finished_task
from tournaments.views.forbidden_pairs import forbidden_pair_form_entries

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]


def cup_by(authors=4, each=3, **fields):
    """A Swiss of ``authors`` with so many bots each."""
    terms = {"format": "swiss", "rounds": 6, "players_per_table": 2, "entries_per_author": each} | fields
    cup = services.tournament_open(tournament=TournamentFactory(state="draft", **terms))
    for owner in [UserFactory() for _ in range(authors)]:
        for _ in range(each):
            EntryFactory(tournament=cup, bot=bot_of(owner))
    return cup


def play(cup, seed=1):
    """To its end, by chance; return (round, table) at which bots of one author sit, and the number of tables."""
    cup = services.tournament_start(tournament=cup)
    chance = random.Random(seed)
    strength = {entry: chance.random() for entry in cup.entries.values_list("pk", flat=True)}
    while cup.state == "running":
        done = finish_matches(
            cup, lambda entries: [float(strength[one] >= max(map(strength.get, entries))) for one in entries]
        )
        for match_id in done:
            tournament_match_finished_task(match_id)
        cup.refresh_from_db()
    return meetings(cup), cup.fixtures.count()


def meetings(cup):
    owner = dict(cup.entries.values_list("version", "bot__owner"))
    found = []
    for fixture in cup.fixtures.select_related("round").prefetch_related("match__seats"):
        owners = [owner[seat.version_id] for seat in fixture.match.seats.all()]
        if len(set(owners)) < len(owners):
            found.append((fixture.round.number, fixture.table))
    return found


@pytest.mark.parametrize(
    ("draws", "terms"),  # one draw alone may be lucky
    [
        (2, {"authors": 8, "each": 4, "rounds": 6}),
        (4, {"authors": 12, "each": 2, "rounds": 4, "players_per_table": 4}),
        (4, {"authors": 3, "each": 4, "rounds": 3}),
        (3, {"authors": 5, "each": 3, "rounds": 5, "format": "dutch"}),
    ],
)
def test_bots_of_one_author_meet_nowhere_but_in_late_rounds_and_then_the_page_says_why(client, draws, terms):
    met_without = 0  # in the rounds that are not late
    for secret in (bytes([number]) * 32 for number in range(draws)):
        without, _tables = play(cup_by(**terms, secret=secret))
        cup = cup_by(**terms, keep_apart="author", secret=secret)
        found, _tables = play(cup)
        cup.refresh_from_db()
        late = [number for number in range(1, cup.stage.drawn + 1) if is_late_swiss_round(cup.stage.terms, number - 1)]
        assert [at for at in found if at[0] not in late] == []
        met_without += sum(number not in late for number, _table in without)
        for number, _table in found:
            page = client.get(reverse("tournaments:pairings", args=[cup.slug, number]))
            assert cup.stage.format == "dutch" or "in the last third of the rounds points come first" in " ".join(
                page.content.decode().split()
            )
    assert met_without > 0


def test_where_one_author_has_nearly_all_bots_they_meet_and_the_page_says_why(client):
    cup = TournamentFactory(entries=1, format="swiss", rounds=3, keep_apart="author", entries_per_author=9)
    owner = UserFactory()
    for _ in range(3):
        EntryFactory(tournament=cup, bot=bot_of(owner))
    cup = services.tournament_start(tournament=cup)
    assert len(meetings(cup)) == 1
    page = client.get(reverse("tournaments:pairings", args=[cup.slug, 1]))
    assert_clean_page(page)
    assert "are kept apart: no other round was found" in " ".join(page.content.decode().split())


def test_it_is_on_unless_the_form_turns_it_off(client):
    organiser = OrganiserFactory()
    data = {"name": "Cup", "game": "pickomino", "format": "swiss", "entries_per_author": 3}
    headers = {"authorization": f"Token {token_of(organiser)}"}
    for more, expected in (({}, "author"), ({"keep_apart": ""}, "")):
        made = client.post("/api/tournaments/", data | more, content_type="application/json", headers=headers)
        assert Tournament.objects.get(slug=made.json()["slug"]).keep_apart == expected
    client.force_login(organiser)
    page = client.get(reverse("tournaments:create"))
    assert page.context["form"]["keep_apart"].value() == "author"
    assert client.post(reverse("tournaments:create"), typed(keep_apart="author", name="Typed")).status_code == 302
    assert Tournament.objects.get(name="Typed").keep_apart == "author"


def test_late_entries_join_the_group_of_their_author_and_house_bots_have_none():
    cup = cup_by(authors=3, each=2, keep_apart="author", entries_per_author=3)
    house = UserFactory()
    for _ in range(2):
        EntryFactory(tournament=cup, bot=bot_of(house, is_house=True))
    cup = services.tournament_start(tournament=cup)
    assert KeptGroup.objects.count() == 3
    owner = cup.entries.first().bot.owner
    entry = services.entry_create(tournament=cup, bot=bot_of(owner), by=owner)
    assert KeptGroup.objects.count() == 3
    assert sorted(group.entries.count() for group in KeptGroup.objects.all()) == [2, 2, 3]
    assert entry in KeptGroup.objects.last().entries.all()


def test_entries_that_are_opened_again_take_the_groups_of_authors_with_them():
    cup = services.tournament_lock(tournament=cup_by(authors=2, each=2, keep_apart="author"))
    one, *_ = cup.entries.all()
    group = services.forbidden_group_create(tournament=cup, entries=cup.entries.all()[:2])
    services.tournament_reopen(tournament=cup)
    assert list(cup.kept_groups.all()) == [group]
    services.entry_withdraw(entry=one, by=one.bot.owner)
    services.tournament_start(tournament=cup)
    assert cup.kept_groups.filter(is_of_author=True).count() == 1


# --- groups that the organiser names ---------------------------------------------------------------------------------


def test_a_club_is_kept_apart_in_one_act_by_names_of_bots_and_authors():
    cup = cup_by(authors=5, each=1, rounds=2, entries_per_author=1)
    EntryFactory(tournament=cup)
    everyone = list(cup.entries.select_related("bot__owner"))
    club = everyone[:3]
    named = [club[0].bot.name, club[1].bot.owner.username, f" {club[2].bot.slug} ", ""]
    entries = forbidden_pair_form_entries(cup.entries.all(), named)
    assert entries == club
    group = services.forbidden_group_create(tournament=cup, entries=entries)
    assert services.forbidden_group_create(tournament=cup, entries=entries) == group
    cup = services.tournament_start(tournament=cup)
    versions = {entry.version_id for entry in cup.entries.filter(pk__in=[entry.pk for entry in club])}
    for fixture in cup.fixtures.all():
        assert len(versions & set(fixture.match.seats.values_list("version", flat=True))) < 2


@pytest.mark.parametrize("chosen", [0, 1])
def test_fewer_than_two_entries_or_a_foreign_entry_are_no_group(chosen):
    cup = cup_by(authors=2, each=2)
    with pytest.raises(PairRefused):
        services.forbidden_group_create(tournament=cup, entries=cup.entries.all()[:chosen])
    with pytest.raises(PairRefused):
        services.forbidden_group_create(tournament=cup, entries=[cup.entries.first(), EntryFactory()])


@pytest.mark.parametrize(
    ("role", "status"),
    [("nobody", 401), ("author", 403), ("owner", 403), ("arbiter", 403), ("organiser", 201), ("staff", 201)],
)
def test_the_right_roles_keep_groups_apart_over_the_api_and_on_the_page(client, role, status):
    cup = cup_by(authors=3, each=2, organiser=OrganiserFactory(), entries_per_author=2)
    people = {
        "nobody": None,
        "author": UserFactory(),
        "owner": cup.entries.first().bot.owner,
        "arbiter": UserFactory(),
        "organiser": cup.organiser,
        "staff": UserFactory(is_staff=True),
    }
    cup.arbiters.add(people["arbiter"])
    owner = cup.entries.first().bot.owner.username
    headers = {"authorization": f"Token {token_of(people[role])}"} if people[role] else {}
    where = f"/api/tournaments/{cup.slug}/kept-groups/"
    made = client.post(where, {"names": [owner]}, content_type="application/json", headers=headers)
    assert made.status_code == status
    assert as_described(client.get(where, headers=headers)).status_code == 200
    page = reverse("tournaments:apart", args=[cup.slug])
    if people[role]:
        client.force_login(people[role])
    others = "\n".join(cup.entries.order_by("pk").values_list("bot__name", flat=True)[2:5])
    posted = client.post(page, {"names": others})
    assert posted.status_code == (302 if status == 201 else 403)
    assert_clean_page(client.get(page))
    assert cup.kept_groups.count() == (2 if status == 201 else 0)
    if status == 201:
        assert client.post(page, {"names": "Nobody at all"}).status_code == 422
        unknown = client.post(where, {"names": ["nobody"]}, content_type="application/json", headers=headers)
        assert (unknown.status_code, unknown.json()["field"]) == (400, "names")
        assert client.delete(f"{where}{made.json()['id']}/", headers=headers).status_code == 204
        left = cup.kept_groups.get()
        assert client.post(reverse("tournaments:let-group-meet", args=[cup.slug, left.pk])).status_code == 302
        assert not cup.kept_groups.exists()


# --- the proof -------------------------------------------------------------------------------------------------------


def proved_cup(file):
    """Play a cup with groups to its end, and return it with its proof."""
    cup = cup_of([LAST] * 6, format="swiss", rounds=3, keep_apart="author", entries_per_author=3)
    owner = UserFactory()
    for entry in list(cup.entries.all())[:3]:
        entry.bot.owner = owner
        entry.bot.save()
    services.forbidden_group_create(tournament=cup, entries=list(cup.entries.all())[3:5])
    return play_out(cup), proof_file(cup, file)


@pytest.fixture
def proved(tmp_path):
    return proved_cup(tmp_path / "proof.zip")


def test_a_proof_with_groups_holds_and_one_without_them_does_not(tmp_path):
    for number in range(6):
        _cup, file = proved_cup(tmp_path / f"{number}.zip")
        assert proof_verify(file).ended
        groups = [one["content"] for one in Parts.of(file).links if one["kind"] == "apart"]
        assert groups[-1]["author"] is True
        changed = Parts.of(file).copy()
        changed.links = [one for one in changed.links if one["kind"] != "apart"]
        try:
            proof_verify(changed.write(tmp_path / "forged.zip"))
        except ValueError as error:
            assert re.search(r"is not the one that follows|listed, but .* are drawn|reasons", str(error))  # noqa: PT017
            return
    pytest.fail("no draw depends on the groups")  # of one cup alone they may not matter, by luck


@pytest.mark.parametrize(
    "content",
    [
        {"entries": [1], "author": True},
        {"entries": [10**9, 10**9 + 1], "author": True},
        {"author": True},
        {"author": 1},
        {"entries": "all"},
        {"more": 1},
    ],
)
def test_a_group_of_another_form_does_not_hold(proved, tmp_path, content):
    _cup, file = proved
    forged = Parts.of(file).copy()
    link = next(one for one in forged.links if one["kind"] == "apart" and one["content"]["author"])
    link["content"] = {**link["content"], **content} if content != {"author": True} else {"author": True}
    with pytest.raises(ValueError, match="apart"):
        proof_verify(forged.write(tmp_path / "forged.zip"))


# --- knockouts -------------------------------------------------------------------------------------------------------


def seeded_cup(**fields):
    """A cup of eight, by two authors with three bots each and two with one."""
    cup = cup_of([LAST] * 8, keep_apart="author", entries_per_author=3, **fields)
    one, other = UserFactory(), UserFactory()
    for at, entry in enumerate(cup.entries.all()):
        if at < 6:
            entry.bot.owner = one if at < 3 else other
            entry.bot.save()
    return cup


@pytest.mark.parametrize("terms", [{"format": "single_elimination"}, {"format": "double_elimination"}])
def test_a_knockout_seeds_bots_of_one_author_apart_says_why_and_proves_it(client, tmp_path, terms):
    cup = services.tournament_start(tournament=seeded_cup(**terms))
    groups = [frozenset(group.entries.values_list("pk", flat=True)) for group in cup.kept_groups.all()]
    assert sorted(map(len, groups)) == [3, 3]
    by_right = stage_first_seeds(cup.stage, cup.entries.values_list("pk", flat=True))
    seeds = list(cup.stage.seeds.values_list("entry_id", flat=True))
    assert seeds == cup.stage.kind.seeded(cup.stage.terms, by_right, groups)
    page = " ".join(client.get(reverse("tournaments:pairings", args=[cup.slug, 1])).content.decode().split())
    moved = sum(one != other for one, other in zip(by_right, seeds, strict=True))
    assert page.count("moved, so that bots of one author meet late") == moved
    assert "Bots of one author are seeded apart" in page
    file = proof_file(play_out(cup), tmp_path / "proof.zip")
    assert proof_verify(file).ended
    forged = Parts.of(file).copy()
    link = next(one for one in forged.links if one["kind"] == "stage")
    link["content"] = {**link["content"], "seeds": [seeds[0], seeds[1], seeds[3], seeds[2], *seeds[4:]]}
    with pytest.raises(ValueError, match="begins with seeds that do not follow"):
        proof_verify(forged.write(tmp_path / "forged.zip"))


def test_a_final_after_a_swiss_seeds_them_apart_and_a_cup_without_the_wish_does_not(tmp_path):
    cup = seeded_cup(format="swiss", rounds=2)
    with_stage(cup, format="single_elimination", entrants=4)
    cup = play_out(services.tournament_start(tournament=cup))
    assert proof_verify(proof_file(cup, tmp_path / "proof.zip")).ended
    final = cup.stages.get(number=2)
    best = [row.entrant for row in standings_of(cup.stages.get(number=1))][:4]
    groups = [frozenset(group.entries.values_list("pk", flat=True)) for group in cup.kept_groups.all()]
    seeds = list(final.seeds.values_list("entry_id", flat=True))
    assert seeds == final.kind.seeded(final.terms, best, groups)
    plain = services.tournament_start(tournament=cup_of([LAST] * 4, format="single_elimination"))
    assert list(plain.stage.seeds.values_list("entry_id", flat=True)) == stage_first_seeds(
        plain.stage, plain.entries.values_list("pk", flat=True)
    )
