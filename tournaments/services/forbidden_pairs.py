"""Keep two bots, or all bots of a group, apart from the next round on."""

from collections import defaultdict
from collections.abc import Collection

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.errors import TournamentError
from tournaments.models import Entry, ForbiddenPair, KeepApart, KeptGroup, Tournament, TournamentState
from tournaments.selectors.rounds.forbidden_pairs import keeps_forbidden_pairs_apart
from tournaments.services.tournament_chain import tournament_chain_link_append
from tournaments.services.transitions import tournament_announce_later, tournament_locked

GOING = tuple(state for state in TournamentState if state not in (TournamentState.FINISHED, TournamentState.CANCELLED))


class PairRefused(TournamentError):
    """These bots cannot be kept apart."""

    code = "cannot_keep_apart"


def forbidden_pair_create(*, tournament: Tournament, one: Entry, other: Entry) -> ForbiddenPair:
    """Keep ``one`` and ``other`` apart from the next draw on: they meet only if no other pairing is found.

    Repeating a call changes nothing.

    Raises:
        WrongState: the tournament is over.
        PairRefused: both are the same entry, an entry is of another tournament, or no more rounds are drawn by
            standings. (In a round robin, the two bots would have one match less than the others.)
    """
    with transaction.atomic():
        tournament_locked(tournament.pk, *GOING)
        if one.pk == other.pk:
            raise PairRefused(_("Choose two different bots."))
        if {one.tournament_id, other.tournament_id} != {tournament.pk}:
            raise PairRefused(_("Both bots must have entered this tournament."))
        if not keeps_forbidden_pairs_apart(tournament):
            sentence = _(
                "%(one)s and %(other)s cannot be kept apart here: in a round robin everyone meets everyone, and in a"
                " knockout the results say who meets. Withdraw one of them, or hold a Swiss instead."
            )
            raise PairRefused(sentence % {"one": one.bot.name, "other": other.bot.name})
        first, second = sorted((one, other), key=lambda entry: entry.pk)
        pair, created = ForbiddenPair.objects.get_or_create(tournament=tournament, one=first, other=second)
        if created:
            tournament_chain_link_append(tournament.pk, "apart", {"one": first.pk, "other": second.pk})
            tournament_announce_later(tournament.pk)
    return pair


def forbidden_pair_remove(*, pair: ForbiddenPair) -> None:
    """Allow the two bots of ``pair`` to meet again.

    Raises:
        WrongState: the tournament is over.
    """
    with transaction.atomic():
        tournament_locked(pair.tournament_id, *GOING)
        if ForbiddenPair.objects.filter(pk=pair.pk).delete()[0]:
            tournament_chain_link_append(pair.tournament_id, "meet", {"one": pair.one_id, "other": pair.other_id})
            tournament_announce_later(pair.tournament_id)


def forbidden_group_create(*, tournament: Tournament, entries: Collection[Entry]) -> KeptGroup:
    """Keep ``entries`` apart from each other from the next draw on. In late rounds, points have priority.

    Repeating a call changes nothing.

    Raises:
        WrongState: the tournament is over.
        PairRefused: there are fewer than two entries, an entry is of another tournament, or no more rounds are drawn by
            standings.
    """
    with transaction.atomic():
        tournament_locked(tournament.pk, *GOING)
        members = frozenset(entry.pk for entry in entries)
        if len(members) < 2:
            raise PairRefused(_("Choose two bots or more."))
        if {entry.tournament_id for entry in entries} != {tournament.pk}:
            raise PairRefused(_("All of them must have entered this tournament."))
        if not keeps_forbidden_pairs_apart(tournament):
            raise PairRefused(
                _("Nobody can be kept apart here: no round is drawn by standings. Hold a Swiss for that.")
            )
        known = {kept: group for group, kept in _groups(tournament).items() if not group.is_of_author}
        if members in known:
            return known[members]
        return _group_create(tournament, members, is_of_author=False)


def forbidden_group_remove(*, group: KeptGroup) -> None:
    """Allow the bots of ``group`` to meet again.

    Raises:
        WrongState: the tournament is over.
        PairRefused: they are bots of one author, which the terms of the tournament keep apart.
    """
    with transaction.atomic():
        tournament_locked(group.tournament_id, *GOING)
        if group.is_of_author:
            raise PairRefused(_("These bots belong to one author, and this tournament already keeps such bots apart."))
        members = sorted(group.entries.values_list("pk", flat=True))
        if KeptGroup.objects.filter(pk=group.pk).delete()[0]:
            tournament_chain_link_append(group.tournament_id, "meet", {"entries": members})
            tournament_announce_later(group.tournament_id)


def forbidden_author_groups_create(tournament: Tournament) -> None:
    """Keep the bots of each author apart, if ``Tournament.keep_apart`` says so. Call it with the tournament locked.

    Late entries are added to the group of their author. House bots do not count as bots of one author. Rounds drawn by
    standings avoid pairing these bots, and a knockout seeds them apart.
    """
    seeds = any(stage.kind.has_bracket and stage.finished_at is None for stage in tournament.stages.all())
    if tournament.keep_apart != KeepApart.AUTHOR or not (seeds or keeps_forbidden_pairs_apart(tournament)):
        return
    own: defaultdict[int, set[int]] = defaultdict(set)
    playing = tournament.entries.filter(is_withdrawn=False, version__isnull=False, bot__is_house=False)
    for owner, entry in playing.order_by("pk").values_list("bot__owner", "pk"):
        own[owner].add(entry)
    groups = {group: members for group, members in _groups(tournament).items() if group.is_of_author}
    for wanted in own.values():
        before = next((group for group, members in groups.items() if members & wanted), None)
        members = frozenset(wanted | (groups[before] if before else set()))
        if len(members) < 2 or (before and groups[before] == members):
            continue
        if before:
            before.delete()
        _group_create(tournament, members, is_of_author=True)


def _groups(tournament: Tournament) -> dict[KeptGroup, frozenset[int]]:
    groups = tournament.kept_groups.prefetch_related("entries")
    return {group: frozenset(entry.pk for entry in group.entries.all()) for group in groups}


def _group_create(tournament: Tournament, members: Collection[int], *, is_of_author: bool) -> KeptGroup:
    group = KeptGroup.objects.create(tournament=tournament, is_of_author=is_of_author)
    group.entries.set(members)
    tournament_chain_link_append(tournament.pk, "apart", {"entries": sorted(members), "author": is_of_author})
    tournament_announce_later(tournament.pk)
    return group
