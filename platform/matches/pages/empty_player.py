"""The replay player as one file without a game in it: ``peck watch`` puts one in, on an author's own machine."""

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils.translation import override

from matches.models import Match, MatchState
from matches.pages.match_page import game_title, player_data
from matches.replay.one_file import one_file


def empty_player(ruleset: str) -> str:
    """Return the file for games of ``ruleset``, in English. It is the same for everyone, and reads no row."""
    match = Match(pk=0, ruleset=ruleset, state=MatchState.FINISHED, blocks=1)
    match._prefetched_objects_cache = {"seats": []}  # type: ignore[attr-defined]  # who sits there is said later
    request = HttpRequest()
    request.method = "GET"
    request.user = AnonymousUser()
    with override("en"):
        player = player_data(match, embedded=True) | {"page": "", "seats": []}
        return one_file(request, match, player=player, first=0, games=(), title="Replay", game_title=game_title(match))
