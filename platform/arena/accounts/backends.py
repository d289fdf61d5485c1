"""Who signs in: by name or by address, however it is spelt; and how passwords are hashed."""

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.internal.userkit import filter_users_by_email
from django.contrib.auth.hashers import Argon2PasswordHasher

from arena.accounts.models import User
from groups.selectors import with_groups
from notices.selectors import with_unread_notices
from teams.selectors import with_teams
from web.name_keys import name_key


class PasswordHasher(Argon2PasswordHasher):
    """Argon2id with the parameters of OWASP's Password Storage Cheat Sheet: 19 MiB, two passes, one thread.

    Django's own take 100 MiB and eight threads. Its default, PBKDF2, takes seven times the processor time: when a class
    signs in, every page waits for it.
    """

    memory_cost = 19 * 1024  # KiB
    parallelism = 1


class SpellingBackend(AuthenticationBackend):  # type: ignore[misc]  # allauth is untyped
    """Allauth's, with keys where it compares letters by the ways of the database."""

    def get_user(self, user_id: int) -> User | None:
        """Return the user of a session, with the number of unread notices, which each page shows, and whether they are
        in teams and groups."""
        person: User | None = with_groups(with_teams(with_unread_notices(User.objects.filter(pk=user_id)))).first()
        return person if person is not None and self.user_can_authenticate(person) else None

    def _authenticate_by_username(self, username: str, password: str) -> User | None:
        person: User | None = self._check_password(account_named(username), password)
        return person

    def _authenticate_by_email(self, email: str, password: str) -> User | None:
        for person in accounts_at_email(email):
            if self._check_password(person, password):
                return person
        return None


def account_named(username: str) -> User | None:
    """Return who is called so."""
    try:
        return User.objects.get_by_natural_key(username)
    except User.DoesNotExist:
        return None


def accounts_at_email(email: str) -> list[User]:
    """Return whose address this is: those who have confirmed it, or else those who say so."""
    for spelt in dict.fromkeys([email.lower(), name_key(email)]):
        if found := filter_users_by_email(spelt, prefer_verified=True, for_login=True):
            return list(found)
    return list(User.objects.filter(email_key=name_key(email)))
