"""Sparring matches: begun, played, refused."""

from typing import Any

import pytest
from django.test import Client

from bots.models import BotVersion
from matches.models import Match, MatchState
from matches.sparring.services import SparringRefused, sparring_create
from matches.worker.playing import worker_play_claim


def spar(version: BotVersion, opponent: BotVersion, **more: Any) -> Match:
    made = sparring_create(author=version.bot.owner, version=version, opponent=opponent, **{"blocks": 2, **more})
    return made.match


def played(match: Match) -> Match:
    while worker_play_claim():
        pass
    match.refresh_from_db()
    assert match.state == MatchState.FINISHED
    return match


def refused(author: Any, version: BotVersion, opponent: BotVersion, **more: Any) -> tuple[str, str]:
    with pytest.raises(SparringRefused) as error:
        sparring_create(author=author, version=version, opponent=opponent, **{"blocks": 2, **more})
    assert str(error.value)
    return error.value.code, error.value.field


def client_of(person: Any) -> Client:
    client = Client()
    if person:
        client.force_login(person)
    return client
