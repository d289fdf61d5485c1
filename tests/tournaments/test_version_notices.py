"""Owners are notified when another version of their bot starts to play, once a round, if results are shown to them; a
version that is deleted while a round waits withdraws its bot, also if another one would play in it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bots.deletion import version_delete
from hooks.models import Delivery
from matches.models import Seat
from notices.models import Notice
from notices.selectors import notice_line_of
from tests.arena.factories import UserFactory
from tests.groups.factories import GroupFactory, member_in
from tests.hooks.factories import hook_of
from tests.teams.factories import team_of
from tests.tournaments.factories import EntryFactory, TournamentFactory, bot_of, finish_matches
from tests.tournaments.proof.events import cup_of, play_out, play_round
from tests.tournaments.proof.test_verify import proof_file
from tests.tournaments.test_new_versions import SOURCES, updated
from tournaments.models import NewVersions, Publication, Tournament
from tournaments.proof.verify import proof_verify
from tournaments.services import tournament_advance, tournament_start, waiting_round_start
from tournaments.services.leaving import entries_withdraw_deleted

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def notified() -> list[tuple[int, int, int]]:
    """Who, which version, from which round on."""
    notices = Notice.objects.filter(kind="tournament.version").order_by("pk")
    return [(one.person_id, one.data["version"], one.data["round"]) for one in notices]


def swiss(*owners: Any, **fields: Any) -> Tournament:
    """Of two rounds and more bots than those of the ``owners``, one of them of the house."""
    cup = TournamentFactory(format="swiss", rounds=2, new_versions=NewVersions.BETWEEN_ROUNDS, **fields)
    for owner in owners:
        EntryFactory(tournament=cup, bot=bot_of(owner))
    house = EntryFactory(tournament=cup).bot
    house.is_house = True
    house.save(update_fields=["is_house"])
    return tournament_start(tournament=cup)


def test_an_author_and_the_people_of_a_team_are_notified_once_a_round() -> None:
    author, steady, mate = UserFactory(), UserFactory(), UserFactory()
    hook_of(author)
    cup = swiss(author, team_of(mate).account, steady, has_round_review=True)
    entries = list(cup.entries.order_by("pk"))
    updated(entries[0])
    waiting_round_start(played=cup.rounds.get(number=1))  # of the frozen versions
    assert notified() == []
    finish_matches(cup)
    tournament_advance(tournament_id=cup.pk)
    assert notified() == []  # drawn, but it waits
    for entry in (entries[0], entries[1], entries[3]):
        updated(entry)
    waiting_round_start(played=cup.rounds.get(number=2))
    assert notified() == [(author.pk, 3, 2), (mate.pk, 2, 2)]
    notice = Notice.objects.get(kind="tournament.version", person=author)
    assert notice_line_of(notice).text == f"{entries[0].bot.name} plays in {cup.name} with v3 from round 2 on."
    assert notice.email_at is None
    assert Delivery.objects.filter(kind="tournament.version").count() == 1


@pytest.mark.parametrize(
    ("publication", "count"), [(Publication.HIDDEN, 0), (Publication.PARTICIPANTS, 1), (Publication.EVERYONE, 1)]
)
def test_while_results_are_shown_to_nobody_authors_are_not_notified(publication: str, count: int) -> None:
    cup = swiss(UserFactory(), UserFactory(), publication=publication)
    finish_matches(cup)
    updated(cup.entries.order_by("pk")[0])
    tournament_advance(tournament_id=cup.pk)
    assert len(notified()) == count


def test_former_members_of_the_group_are_not_notified() -> None:
    member, former = UserFactory(), UserFactory()
    group = GroupFactory()
    member_in(group, member)
    cup = swiss(member, former, audience="group", group=group, organiser=group.created_by)
    finish_matches(cup)
    for entry in cup.entries.order_by("pk")[:2]:
        updated(entry)
    tournament_advance(tournament_id=cup.pk)
    assert notified() == [(member.pk, 2, 2)]


def begun(cup: Tournament) -> None:
    waiting_round_start(played=cup.rounds.get(number=2))


def swept(_cup: Tournament) -> None:
    entries_withdraw_deleted()


@pytest.mark.parametrize("steps", [(swept, begun), (begun, swept)], ids=["sweep first", "round first"])
def test_a_version_that_is_deleted_while_a_round_waits_withdraws_its_bot_in_either_order(
    steps: tuple[Callable[[Tournament], None], ...], tmp_path: Path
) -> None:
    cup = tournament_start(
        tournament=cup_of(
            SOURCES, format="swiss", rounds=2, has_round_review=True, new_versions=NewVersions.BETWEEN_ROUNDS
        )
    )
    waiting_round_start(played=cup.rounds.get(number=1))
    play_round(cup)
    entries = list(cup.entries.order_by("pk"))
    for entry in entries:
        updated(entry)
    assert version_delete(version=entries[1].bot.versions.get(number=1))
    for step in steps:
        step(cup)
    assert list(cup.entries.order_by("pk").values_list("is_withdrawn", "version__number")) == [
        *((False, 2), (True, 1), (False, 2), (False, 2))
    ]
    sitting = Seat.objects.filter(match__fixture__round__number=2, match__fixture__round__tournament=cup)
    assert not sitting.filter(version__bot=entries[1].bot).exists()
    kinds = list(cup.chain.order_by("number").values_list("kind", flat=True))
    assert kinds[-4:] == ["left", "redrawn", "versions", "begun"]
    assert len(notified()) == 3
    assert proof_verify(proof_file(play_out(cup), tmp_path / "proof.zip")).ended
