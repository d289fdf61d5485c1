"""Clients of people who have just signed in."""

from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils.crypto import get_random_string

from arena.accounts.models import User


class Visitors:
    """They sign in once; each of their clients has a session of its own, as it was then."""

    def __init__(self) -> None:
        self._handler = Client().handler  # a client of its own would start all middleware for each page
        self._sessions: dict[int, Session] = {}

    def client(self, user: User | None) -> Client:
        """Return a new client of ``user``, or an anonymous one. An exception is a response with status 500."""
        client = Client(raise_request_exception=False)
        client.handler = self._handler
        if user is None:
            return client
        if user.pk not in self._sessions:
            client.force_login(user)
            self._sessions[user.pk] = Session.objects.get(pk=client.session.session_key)
        session = self._sessions[user.pk]
        session.session_key = get_random_string(32)
        session.save(force_insert=True)
        client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
        return client
