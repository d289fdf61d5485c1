"""The authentication backend, which finds accounts by name or address in any spelling; and the password hasher."""

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

    Django's own Argon2 hasher uses 100 MiB and eight threads. Django's default hasher, PBKDF2, takes seven times the
    processor time, so every page would wait when a class signs in.
    """

    memory_cost = 19 * 1024  # KiB
    parallelism = 1


class SpellingBackend(AuthenticationBackend):  # type: ignore[misc]  # allauth is untyped
    """allauth's backend, comparing names and addresses by ``name_key`` instead of the database's collation."""

    def get_user(self, user_id: int) -> User | None:
        """Return the user of a session, annotated with the number of unread notices and whether they have teams and
        groups, which every page shows."""
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
    """Return the account with this user name in any spelling, or None."""
    try:
        return User.objects.get_by_natural_key(username)
    except User.DoesNotExist:
        return None


def accounts_at_email(email: str) -> list[User]:
    """Return the accounts that have confirmed this address; if there are none, those that entered it without
    confirming.
    """
    for spelt in dict.fromkeys([email.lower(), name_key(email)]):
        if found := filter_users_by_email(spelt, prefer_verified=True, for_login=True):
            return list(found)
    return list(User.objects.filter(email_key=name_key(email)))
