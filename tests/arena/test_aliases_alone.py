"""A group that uses aliases: only those who may see it learn who is behind one.

The user names of two authors are looked for in every response of the site to an anonymous visitor, to another author
and to a member who only reads, as in ``test_groups_alone``; once more after the contests were opened to everybody, in
messages to others, and in proofs.
"""

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.core import mail
from django.urls import reverse

from arena.search.selectors import search_site
from bots.aliases import author_aliases
from bots.models import Bot
from hooks.models import Delivery
from leagues.services import league_edit
from matches.bot_history.views import _card
from matches.live.match_reader import match_reader_config, match_reader_snapshot
from matches.models import Audience
from notices.models import Notice
from tests.arena.factories import UserFactory
from tests.arena.group_world import PAGES, World, group_matches, text_of
from tests.groups.factories import member_in
from tournaments.models import Tournament
from tournaments.selectors.entering.editing import tournament_edit_basis
from tournaments.services import luck_nonce_add, tournament_edit, tournament_lock

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(600)]

HIDDEN: Final = ("Qwertzwald", "Nebelhorst", "Klarname")  # two user names, and what the roster says
ALIASES: Final = {"member": "Pirol 11", "former": "Zeisig 22", "team": "Pirol 11, Zeisig 22"}
READERS: Final = ("nobody", "author", "reader")


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


class AliasWorld(World):
    """The same, where members are called by aliases, and another of them looks on."""

    called = {"member": HIDDEN[0], "former": HIDDEN[1]}

    def __init__(self) -> None:
        super().__init__(uses_aliases=True)
        self.people["reader"] = UserFactory(username="reader")
        member_in(self.group, self.people["reader"], alias="Specht 33")

    def join(self, part: str) -> None:
        member_in(self.group, self.people[part], alias=ALIASES[part], name="Klarname")

    def known_as(self, part: str) -> dict[str, Any]:
        return {"author_alias": ALIASES[part], "alias_group": self.group} if part in ALIASES else {}

    def before_start(self, cup: Tournament) -> None:
        tournament_lock(tournament=cup)
        luck_nonce_add(tournament=cup, text="rain", by=self.people["member"])
        cup.refresh_from_db()

    def read(self) -> Iterator[tuple[str, str]]:
        """Each address but those that name one of them, and pages of their team, whose people are public."""
        for name, address in self.addresses():
            of_team = "teams:" in name and self.team.slug in address
            if not of_team and not any(one in address for one in HIDDEN):
                yield name, address

    def open(self) -> None:
        sources = {"releases_sources": False, "sources_released_at": None}  # with them it could not be opened
        Tournament.objects.filter(pk=self.cup.pk).update(**sources)
        self.cup.refresh_from_db()
        basis = tournament_edit_basis(self.cup)
        tournament_edit(tournament=self.cup, basis=basis, audience="public", group_id=None)
        league_edit(league=self.league, audience="public", group_id=None)
        for one in (self.cup, self.league):
            one.refresh_from_db()


@pytest.fixture
def world() -> AliasWorld:
    return AliasWorld()


def names_in(text: str) -> list[str]:
    """Return the hidden names in a text."""
    return [name for name in HIDDEN if name.casefold() in text.casefold()]


@pytest.mark.parametrize(
    "who", [pytest.param(who, marks=() if who == "reader" else pytest.mark.exhaustive) for who in READERS]
)
def test_no_address_reveals_who_is_behind_an_alias(who: str, world: AliasWorld) -> None:
    data, shown = {}, set()
    for name, address in world.read():
        response = world.get(who, address)
        assert response.status_code < 500, address
        text = text_of(response)
        if found := names_in(text):
            data[address] = found
        if "Pirol 11" in text:
            shown.add(name)
    assert data == {}
    if who == "reader":
        assert {"tournaments:detail", "leagues:detail", "matches:detail", "api-tournaments:standings"} <= shown
        assert {"tournaments:export", "leagues:export", "series:detail", "tournaments:certificates"} <= shown


def test_pages_about_an_author_list_no_bot_with_an_alias(world: AliasWorld) -> None:
    own = Bot.objects.exclude(author_alias="").values_list("name", flat=True)
    for who in READERS:
        for address in (reverse("accounts:profile", args=[HIDDEN[0]]), reverse("teams:detail", args=[world.team.slug])):
            text = text_of(world.get(who, address))
            assert [name for name in own if name in text] == []
        user = world.people.get(who)
        assert [kind.name for kind in search_site(HIDDEN[0], user or UserFactory()) if kind.found] == []


def test_after_it_is_opened_everybody_reads_the_alias(world: AliasWorld) -> None:
    world.open()
    visited = set()
    for name, address in world.read():
        if name in PAGES:
            response = world.get("nobody", address)
            assert names_in(text_of(response)) == [], address
            if world.is_of_group(name, address) and response.status_code == 200:
                visited.add(name)
    assert {"tournaments:detail", "leagues:detail", "matches:detail", "api-tournaments:proof.zip"} <= visited


def test_the_author_and_staff_of_the_group_see_both(world: AliasWorld) -> None:
    both = f"Pirol 11 ({HIDDEN[0]})"
    match = next(pk for pk in world.candidates()["pk"] if "Pirol 11" in text_of(world.get("reader", match_page(pk))))
    staff = UserFactory(is_staff=True)
    world.people["staff"] = staff
    for address in (
        reverse("tournaments:detail", args=[world.cup.slug]),
        reverse("leagues:detail", args=[world.league.slug]),
        reverse("bots:detail", args=["kauz-1"]),
        match_page(match),
    ):
        for who, sees in {"owner": True, "staff": True, "member": True, "reader": False, "former": False}.items():
            assert (both in text_of(world.get(who, address))) == sees, (who, address)
    for shown_to_a_room in ("tournaments:screen", "tournaments:certificates"):
        text = text_of(world.get("owner", reverse(shown_to_a_room, args=[world.cup.slug])))
        assert names_in(text) == []


def match_page(pk: int) -> str:
    return reverse("matches:detail", args=[pk])


def test_messages_to_others_reveal_no_name(world: AliasWorld) -> None:
    knowing = {"member", "former", "owner"}
    for name, person in world.people.items():
        if name not in knowing:
            emails = [one.subject + one.body for one in mail.outbox if person.email in one.to]
            notices = [json.dumps(one.data) for one in Notice.objects.filter(person=person)]
            sent = [str(one.body) for one in Delivery.objects.filter(hook__owner=person)]
            assert names_in("\n".join([*emails, *notices, *sent])) == [], name
    for pk in group_matches():
        of_socket = match_reader_config(match_id=pk, audience=Audience.GROUP)
        first = match_reader_snapshot(match_id=pk, audience=Audience.GROUP, attempt=1, game=0)
        assert names_in(f"{of_socket} {first}") == []
    everything = [str(one.body) for one in Delivery.objects.exclude(hook__owner__in=[world.people["owner"]])]
    own = {HIDDEN[0]: world.people["member"], HIDDEN[1]: world.people["former"]}
    for body in everything:
        assert len(names_in(body)) < len(own)  # nobody's hook tells both of them


def test_the_picture_of_a_link_and_the_proof_have_the_alias(world: AliasWorld) -> None:
    card = _card(Bot.objects.select_related("owner").get(slug="kauz-1"))
    assert "Pirol 11" in " ".join(map(str, card.lines))
    answer = world.get("reader", reverse("tournaments:export", args=[world.cup.slug, "proof.zip"]))
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        names = json.loads(archive.read("names.json"))
        chain = archive.read("chain.jsonl").decode()
    under = {whose: one["name"] for whose, one in names.items() if whose.startswith("alias/")}
    assert list(under.values()) == ["Pirol 11"]
    assert f"person/{world.people['member'].pk}" not in chain


def test_staff_of_a_group_have_no_alias_there(world: AliasWorld) -> None:
    assert [one.name for one in author_aliases(world.people["member"].pk)] == ["Pirol 11"]
    assert author_aliases(world.people["owner"].pk) == []
    assert author_aliases(world.team.pk) == []  # somebody of it has left
