"""Who may create what, at every address that takes a POST: a new one has to be put down here.

Beside ``test_who_sees_what``: the same site, six roles, and valid data, so that only the permission can refuse.
"""

from copy import deepcopy
from typing import Any, Final

import pytest
from django.test import Client

from bots.models import Bot
from leagues.models import League, Season
from leagues.services import season_end
from tests.arena.factories import UserFactory
from tests.arena.test_every_address import NAMES
from tests.arena.test_who_sees_what import World, _alone, answer_of, snapshot
from tests.bots.test_permissions import token_of
from tests.leagues.test_permissions import typed as league_typed
from tests.tournaments.factories import TournamentFactory, bot_of
from tests.tournaments.test_forms import typed as tournament_typed
from tournaments.models import Tournament
from tournaments.selectors.entering.editing import tournament_edit_basis

__all__ = ["_alone"]
pytestmark = pytest.mark.django_db

# "author" has nothing to do with the contest, "owner" has a bot in it, "arbiter" rules there.
ROLES: Final = ("nobody", "author", "owner", "arbiter", "organiser", "staff")
# A contest, and what makes work for the machines, in the order of ROLES. 302, and by the API 200 and 201: done.
CREATING: Final = {
    "tournaments:create": "login 403 403 403 302 302",
    "tournaments:create like another": "login 403 403 403 302 302",
    "cups:create": "login 403 403 403 302 302",
    "leagues:create": "login 403 403 403 302 302",
    "tournaments:edit": "login 404 404 404 302 302",
    "tournaments:act open": "login 404 404 404 302 302",
    "tournaments:act start": "login 403 403 403 302 302",
    "leagues:act next-season": "login 403 403 403 302 302",
    "leagues:edit": "login 404 404 404 302 302",
    "api-tournaments:list": "401 403 403 403 201 201",
    "api-tournaments:open": "401 404 404 404 200 200",
    "api-tournaments:start": "401 403 403 403 200 200",
    "api-cups:list": "401 403 403 403 201 201",
    "api-leagues:list": "401 403 403 403 201 201",
    "api-leagues:open": "401 404 404 404 200 200",
    "api-leagues:next-season": "401 403 403 403 200 200",
}
STARTS_A_SEASON: Final = ("leagues:act next-season", "api-leagues:next-season", "api-leagues:open")
# What belongs to a contest that is there; tests/tournaments and tests/announcements say who may.
IN_A_CONTEST: Final = """
    tournaments:copy api-tournaments:copy tournaments:template-save
    tournaments:registration tournaments:registration-remove tournaments:answers api-tournaments:registration
    tournaments:entry-category
    tournaments:apart tournaments:let-meet tournaments:arbiters tournaments:dismiss tournaments:arrange
    tournaments:premiere tournaments:plan-round tournaments:plan-act tournaments:let-group-meet
    tournaments:ceremony tournaments:ceremony-act api-tournaments:ceremony-start
    api-tournaments:ceremony-advance api-tournaments:ceremony-pace api-tournaments:ceremony-accept
    tournaments:round-start tournaments:publish tournaments:rule tournaments:enter tournaments:withdraw
    tournaments:add-luck tournaments:invitation tournaments:invitation-withdraw api-tournaments:entries
    matches:broadcast
    api-tournaments:invitation api-tournaments:lock api-tournaments:reopen api-tournaments:cancel
    api-tournaments:pause api-tournaments:resume api-tournaments:release api-tournaments:luck
    api-tournaments:arbiters api-tournaments:kept-groups api-tournaments:forbidden-pairs
    api-tournaments:round-start api-tournaments:swap
    api-tournaments:rulings api-tournaments:ruling-preview
    api-tournaments:release-sources tournaments:dataset
    cups:end-weekly api-cups:weekly
    announcements:create announcements:edit announcements:delete api-announcements:list
    announcements:ask announcements:answer announcements:question-delete api-announcements:questions
    leagues:join leagues:leave leagues:dataset api-leagues:members api-leagues:end-season api-leagues:close
    api-leagues:pause api-leagues:resume api-leagues:house-bots
"""
# One's own: an account, its groups, teams, series, assignments and templates (each has its tests), its tokens, its
# bots, its request to become an organiser, its answers to puzzles.
ONES_OWN: Final = """
    bots:create bots:upload bots:edit bots:make-current api:bots api:versions api:make-current accounts:tokens
    accounts:token-revoke accounts:delete bots:delete bots:version-delete organisers:ask set_language theme
    bots:drill api:drill.jsonl
    matches:results bots:spar bots:spar-stop api:sparrings bots:challenges bots:challenge-answer api:challenges
    assignments:create assignments:edit assignments:delete assignments:hand-in assignments:publish assignments:student
    assignments:marks api-assignments:list api-assignments:hand-in api-assignments:extensions api-assignments:publish
    api-assignments:renew api-assignments:decide api-assignments:decide-all
    puzzles:detail api-puzzles:answer
    tournaments:dataset-file tournaments:sources-archive leagues:dataset-file
    api-tournaments:dataset.zip api-tournaments:dataset-parquet.zip api-tournaments:sources.zip
    api-leagues:dataset.zip api-leagues:dataset-parquet.zip
    series:create series:edit series:delete series:add series:remove series:end api-series:list api-series:events
    tournaments:template-rename tournaments:template-delete api-tournaments:templates api-tournaments:from-template
    groups:create groups:edit groups:leave groups:member groups:remove groups:roster groups:roster-apply
    groups:row-remove groups:invitations groups:renew groups:revoke groups:slips groups:join groups:accept
    api-groups:list api-groups:join api-groups:leave api-groups:roster api-groups:roster-preview
    api-groups:invitations api-groups:renew api-groups:slips
    teams:create teams:accept teams:leave teams:links teams:revoke teams:remove teams:captain
    api-teams:list api-teams:join api-teams:leave api-teams:links api-teams:captain
    api-organisers:request hooks:list hooks:detail hooks:rotate hooks:act hooks:send-again hooks:delete
    notices:read-all notices:settings notices:unsubscribe notices:follow-change
    notices:device-add notices:device-remove
    api-notices:read api-notices:read-all
    api-hooks:hooks
    api-hooks:rotate api-hooks:pause
    api-hooks:resume api-hooks:test api-hooks:send-again
"""
# An estimate; and pages that are also the answer to what was refused there, and so read a POST like a GET.
ONLY_READ: Final = """
    tournaments:estimate api-tournaments:estimate leagues:detail tournaments:detail
    tournaments:list tournaments:live
    accounts:export
"""


class Scene(World):
    """The site of ``test_who_sees_what``, with an arbiter, an open cup and a league between two seasons."""

    def __init__(self) -> None:
        super().__init__()
        self.people |= {"owner": self.people["author"], "author": UserFactory(), "arbiter": UserFactory()}
        self.cup = TournamentFactory(organiser=self.people["organiser"], entries=3)
        self.cup.arbiters.add(self.people["arbiter"])
        self.cup.entries.create(bot=bot_of(self.people["owner"]))
        season_end(league=self.league)
        Bot.objects.filter(leagues__league=self.league).update(organisers_may_enter=True)

    def press(self, role: str, operation: str) -> Any:
        client = Client(raise_request_exception=False)
        if operation.startswith("api"):
            return self._send(client, role, operation)
        if role != "nobody":
            client.force_login(self.people[role])
        cup, league = f"/tournaments/{self.cup.slug}/", f"/leagues/{self.league.slug}/"
        address, data = {
            "tournaments:create": ("/tournaments/new/", tournament_typed()),
            "tournaments:create like another": (f"/tournaments/new/?like={self.cup.slug}", tournament_typed()),
            "cups:create": (f"{league}cups/new/", {"name": "Cup", "best": 2, "preset": "quick"}),
            "leagues:create": ("/leagues/new/", league_typed()),
            "tournaments:edit": (
                self.address("tournaments:edit", draft=True),
                tournament_typed(basis=tournament_edit_basis(self.draft)),
            ),
            "leagues:edit": (self.address("leagues:edit", draft=True), league_typed()),
            "tournaments:act open": (f"/tournaments/{self.draft.slug}/open/", {}),
            "tournaments:act start": (f"{cup}start/", {}),
            "leagues:act next-season": (f"{league}next-season/", {}),
        }[operation]
        return client.post(address, data)

    def _send(self, client: Client, role: str, operation: str) -> Any:
        headers = {} if role == "nobody" else {"authorization": f"Token {token_of(self.people[role])}"}
        address, data = {
            "api-tournaments:list": ("/api/tournaments/", {"name": "Harvest Cup", "game": "pickomino"}),
            "api-cups:list": (f"/api/leagues/{self.league.slug}/cups/", {"best": 2}),
            "api-leagues:list": ("/api/leagues/", {"name": "Yard", "game": "pickomino"}),
            "api-leagues:open": (f"/api/leagues/{self.draft_league.slug}/open/", {}),
            "api-leagues:next-season": (f"/api/leagues/{self.league.slug}/next-season/", {}),
            "api-tournaments:open": (f"/api/tournaments/{self.draft.slug}/open/", {}),
            "api-tournaments:start": (f"/api/tournaments/{self.cup.slug}/start/", {}),
        }[operation]
        return client.post(address, data, content_type="application/json", headers=headers)


@pytest.fixture(scope="module")
def module_scene(module_rows: None) -> Scene:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
        return Scene()


@pytest.fixture
def scene(module_scene: Scene) -> Scene:
    return deepcopy(module_scene)


@pytest.mark.parametrize("operation", CREATING)
@pytest.mark.timeout(120)
def test_only_organisers_and_staff_create(operation: str, scene: Scene) -> None:
    for role, wanted in zip(ROLES[:4], CREATING[operation].split(), strict=False):
        before = snapshot()
        assert answer_of(scene.press(role, operation)) == wanted, role
        assert snapshot() == before, role


@pytest.mark.parametrize("operation", CREATING)
@pytest.mark.parametrize("role", ROLES[4:])
def test_organisers_and_staff_do(operation: str, role: str, scene: Scene) -> None:
    before = Tournament.objects.count() + League.objects.count() + Season.objects.count()
    assert answer_of(scene.press(role, operation)) == CREATING[operation].split()[ROLES.index(role)]
    made = Tournament.objects.count() + League.objects.count() + Season.objects.count() - before
    assert made == (operation.split()[0].endswith((":create", ":list")) or operation in STARTS_A_SEASON)


@pytest.mark.parametrize("like", ["", "?like=cup-of-all"])
def test_forms_are_shown_to_those_who_may_create_and_others_see_how_to_request_it(like: str, scene: Scene) -> None:
    Tournament.objects.filter(pk=scene.cup.pk).update(slug="cup-of-all")
    for address in (f"/tournaments/new/{like}", "/leagues/new/"):
        for role, wanted in zip(ROLES, CREATING["tournaments:create"].split(), strict=True):
            client = Client()
            if role != "nobody":
                client.force_login(scene.people[role])
            response = client.get(address)
            assert answer_of(response) == wanted.replace("302", "200")
            assert (b"Ask to become an organiser" in response.content) == (wanted == "403")


def test_every_address_that_takes_a_post_is_in_a_table(scene: Scene) -> None:
    """Except allauth's, which manage an account."""
    taken = set()
    for name in sorted(NAMES):
        if name.startswith(("account_", "mfa_", "socialaccount_", "openid_connect_")):
            continue
        answers = {scene.request("staff", "post", name, draft=draft).status_code for draft in (False, True)}
        if answers != {405}:
            taken.add(name)
    rest = f"{IN_A_CONTEST} {ONES_OWN} {ONLY_READ}".split()
    assert taken == {operation.split()[0] for operation in CREATING} | set(rest)
