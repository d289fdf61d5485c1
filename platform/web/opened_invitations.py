"""What a visitor has opened of the links and codes that let people in."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest

from web.invitations import digests_of
from web.limits import FailedGuesses

GUESSES: Final = FailedGuesses("groups", "code")  # one count for groups and teams


@dataclass(frozen=True, slots=True)
class OpenedInvitation:
    """What a visitor has opened last: kept in the session under ``name`` as digests, so that no further address has the
    token in it, and it is still there after signing up. ``found`` returns the invitation of digests, if it holds."""

    name: str
    found: Callable[[Sequence[str]], Any]

    def opens(self, request: HttpRequest, token: str) -> bool:
        """Keep what the token opens; count one that opens nothing."""
        digests = digests_of(token)
        if self.found(digests) is None:
            GUESSES.count(request)
            return False
        request.session[self.name] = digests
        return True

    def digests(self, request: HttpRequest) -> list[str]:
        """Return what was opened; empty if nothing was."""
        opened: list[str] = request.session.get(self.name, [])
        return opened

    def close(self, request: HttpRequest) -> None:
        """Forget it."""
        request.session.pop(self.name, None)
