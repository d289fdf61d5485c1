"""Commit to luck that nobody can predict. First comes a secret, then the entries, then nonces, and then the draw.

A nonce is a text that a person adds to the luck.
"""

import secrets
from typing import Final

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from games.contest_luck import entries_digest
from matches.analysis.services import analyses_order
from matches.models import Match, MatchState
from matches.services import matches_reseed
from tournaments.errors import NonceRefused
from tournaments.match_secrets import tournament_match_secret
from tournaments.models import Fixture, Luck, Nonce, Tournament
from tournaments.selectors.pages.proof_and_luck import may_add_luck, tournament_luck_alias_of
from tournaments.services.tournament_chain import (
    tournament_chain_alias_content,
    tournament_chain_frozen_append,
    tournament_chain_link_append,
    tournament_chain_person_content,
    tournament_chain_secret_append,
)
from tournaments.services.transitions import tournament_announce_later

SECRET_BYTES: Final = 32
NONCE_MOST: Final = 100  # characters


def tournament_luck_commit(tournament: Tournament) -> Luck:
    """Generate a secret for the draws and matches to come, and append its hash to the chain."""
    last = tournament.lucks.aggregate(last=Max("number"))["last"] or 0
    luck = Luck.objects.create(tournament=tournament, number=last + 1, secret=secrets.token_bytes(SECRET_BYTES))
    tournament_chain_secret_append(luck)
    return luck


def tournament_luck_freeze(tournament: Tournament) -> None:
    """Mix the current entries, with their packages, into each luck that is not frozen yet."""
    playing = tournament.entries.filter(is_withdrawn=False, version__isnull=False).order_by("pk")
    entries = dict(playing.values_list("pk", "version__sha256"))
    digest = entries_digest(entries)
    for luck in Luck.objects.filter(tournament=tournament, frozen_at__isnull=True):
        luck.entries, luck.frozen_digest, luck.frozen_at = list(entries.items()), digest, timezone.now()
        luck.save(update_fields=["entries", "frozen_digest", "frozen_at"])
        tournament_chain_frozen_append(tournament, luck)


def tournament_luck_begin(tournament: Tournament) -> None:
    """Begin the last luck, if it has not begun. From now on, nothing can be added to it.

    Drawn matches that wait to be played with this luck get new seeds.
    """
    luck = tournament.lucks.filter(started_at__isnull=True).last()
    if luck is None:
        return
    luck.started_at = timezone.now()
    luck.save(update_fields=["started_at"])
    drawn = Fixture.objects.filter(round__tournament=tournament, luck=luck.number)
    value = luck.value
    matches_reseed(
        secrets={
            match: tournament_match_secret(value, number, table, attempt)
            for match, number, table, attempt in drawn.values_list("match", "round__number", "table", "attempt")
        }
    )


def luck_nonce_add(*, tournament: Tournament, text: str, by: AbstractUser) -> Nonce:
    """Mix ``text`` into the luck, after the earlier nonces.

    Raises:
        NonceRefused: entries are not frozen yet, or the luck has begun; ``by`` is neither an entrant nor an arbiter or
            organiser, or has added a nonce already; ``text`` is empty, too long or not printable.
    """
    text = text.strip()
    if not (text and len(text) <= NONCE_MOST and text.isprintable()):
        raise NonceRefused(_("Type 1 to %(most)d printable characters.") % {"most": NONCE_MOST})
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=tournament.pk)
        luck = tournament.luck
        if luck.frozen_at is None:
            raise NonceRefused(
                _(
                    "Entries are not closed yet. Randomness can be added only after that, so that nobody knows it when "
                    "entering."
                )
            )
        if not luck.takes_nonces or tournament.is_over:
            raise NonceRefused(_("The tournament has begun: no more randomness can be added."))
        if not may_add_luck(by, tournament):
            raise NonceRefused(_("Only entrants, arbiters and the organiser can add randomness."))
        if luck.nonces.filter(by=by.pk).exists():
            raise NonceRefused(_("You have already added your randomness, and it cannot be changed."))
        number, alias = luck.nonces.count() + 1, tournament_luck_alias_of(tournament, by)
        nonce = Nonce.objects.create(luck=luck, number=number, text=text, by_id=by.pk, alias=alias)
        named = tournament_chain_alias_content(nonce) if alias else tournament_chain_person_content(tournament.pk, by)
        content = {"luck": luck.number, "text": text, "by": named}
        tournament_chain_link_append(tournament.pk, "nonce", content)
        tournament_announce_later(tournament.pk)
    return nonce


def tournament_luck_analyses_schedule(*, tournament: Tournament) -> None:
    """Order the missing analyses of finished matches, if the tournament has a value function.

    Workers make the analyses between matches.
    """
    if not tournament.luck_value:
        return
    finished = Match.objects.filter(fixture__round__tournament=tournament, state=MatchState.FINISHED)
    while analyses_order(matches=finished, value=tournament.luck_value):
        pass
