"""Bots that are kept apart, and the rules of the draw that a swap by the organiser would break."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from matches.models import Seat as MatchSeat
from tournaments.models import Bye, Entry, KeepApart, KeptGroup, Round, Tournament
from tournaments.selectors.entering.entry_versions import entry_by_version


def forbidden_groups_of(tournament: Tournament) -> Sequence[frozenset[int]]:
    """Return the entries of each group that is kept apart, in the order in which the groups were created."""
    return _groups(KeptGroup.objects.filter(tournament=tournament))


def forbidden_author_groups_of(tournament: Tournament) -> Sequence[frozenset[int]]:
    """Return the groups of entries of one author; none if the tournament does not keep such entries apart."""
    if tournament.keep_apart != KeepApart.AUTHOR:
        return ()
    return _groups(KeptGroup.objects.filter(tournament=tournament, is_of_author=True))


def _groups(chosen: QuerySet[KeptGroup]) -> Sequence[frozenset[int]]:
    members: defaultdict[int, set[int]] = defaultdict(set)
    groups = KeptGroup.entries.through.objects.filter(keptgroup__in=chosen).order_by("keptgroup", "entry")
    for group, entry in groups.values_list("keptgroup", "entry"):
        members[group].add(entry)
    return [frozenset(group) for group in members.values()]


def forbidden_swap_reasons_of(played: Round, one: Entry, other: Entry) -> list[str]:
    """Return a sentence for each rule of the draw that a swap of two bots in a round would newly break.

    The rules are: bots that are kept apart do not meet, bots do not meet twice in a stage, and no bot gets a second
    bye.
    """
    return [*_breaches(played, one, other), *_breaches(played, other, one)]


def _breaches(played: Round, comes: Entry, goes: Entry) -> Iterator[str]:
    """Yield the rules that are broken if ``comes`` takes the place of ``goes``."""
    tournament = played.tournament
    names = {entry.pk: entry.bot.name for entry in tournament.entries.select_related("bot")}
    entries = entry_by_version(tournament)
    new = _beside(played, goes, entries) - {comes.pk} - _beside(played, comes, entries)
    apart = {frozenset(pair) for pair in tournament.forbidden_pairs.values_list("one", "other")}
    kin = forbidden_groups_of(tournament)
    for mate in sorted(new):
        values = {"one": names[comes.pk], "other": names[mate]}
        pair = frozenset((comes.pk, mate))
        if pair in apart or any(pair <= group for group in kin):
            yield _("%(one)s and %(other)s are kept apart.") % values
        for number in _rounds_met(played, comes, mate, entries):
            yield _("%(one)s and %(other)s have met in round %(number)d.") % {**values, "number": number}
    byes = Bye.objects.filter(round__stage=played.stage_id)
    if byes.filter(round=played, entry=goes).exists():
        for number in byes.filter(round__number__lt=played.number, entry=comes).values_list("round__number", flat=True):
            yield _("%(one)s has had a bye in round %(number)d.") % {"one": names[comes.pk], "number": number}


def _beside(played: Round, entry: Entry, entries: dict[int, int]) -> set[int]:
    """Return the other entries at the table of ``entry``."""
    table = MatchSeat.objects.filter(match__fixture__round=played, match__seats__version__bot=entry.bot_id)
    return {entries[version] for version in table.values_list("version", flat=True)} - {entry.pk}


def _rounds_met(played: Round, one: Entry, other: int, entries: dict[int, int]) -> list[int]:
    """Return the earlier rounds of the stage in which both entries sat at the same table."""
    versions = [number for number, entry in entries.items() if entry == other]
    tables = MatchSeat.objects.filter(match__fixture__round__stage=played.stage_id, version__in=versions)
    both = tables.filter(match__seats__version__bot=one.bot_id, match__fixture__round__number__lt=played.number)
    return sorted(both.values_list("match__fixture__round__number", flat=True))


def keeps_forbidden_pairs_apart(tournament: Tournament) -> bool:
    """Return whether the tournament has an unfinished stage whose rounds are drawn by standings."""
    return any(stage.kind.draws_by_standings and stage.finished_at is None for stage in tournament.stages.all())
