"""Tournaments of the best bots of a league's ladder."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from contests.caps import OverCap
from games.catalogue import current
from games.protocol import Limits
from leagues.models import Season
from leagues.services.leagues import announce_later
from tournaments.errors import CupRefused, EntryRefused
from tournaments.formats.registry import FORMATS
from tournaments.models import Admission, KeepApart, LadderCup, PassedOver, Tournament, WeeklyCup
from tournaments.presets import Preset
from tournaments.selectors.pages.ladder_cups import LadderPlace, ladder_field
from tournaments.services.drafting import StagePlan, tournament_create, tournament_open
from tournaments.services.entering import entry_create

BEST_MOST: Final = 128  # of a ladder in one cup


def ladder_cup_create(
    *,
    season: Season,
    name: str,
    preset: Preset,
    best: int,
    first_round_at: datetime | None,
    time_zone: str,
    weekly: WeeklyCup | None = None,
) -> Tournament:
    """Create a tournament of the league's organiser, by the game, the options and the limits of the league, open it and
    enter the ``best`` bots of the season's ladder, by whose order a knockout is seeded; all or nothing. Authors are
    told by letter. Nobody else enters but by invitation. ``weekly``: it is the one that this has counted last.

    Raises:
        CupRefused: the game has newer rules than the league, the site allows less than its limits or the blocks of the
            preset, or fewer bots than it takes to start may be entered.
        NotAnOrganiser, TooLarge: see ``tournament_create``.
    """
    league = season.league
    newest = current(league.game).id
    if league.ruleset != newest:
        sentence = _("The league is played by the rules %(old)s, and anything new by %(new)s: no cup is made of it.")
        raise CupRefused("superseded", sentence % {"old": league.ruleset, "new": newest})
    with transaction.atomic():
        stages = stages_of_preset(preset, league.players_per_table)
        field = ladder_field(season, best)
        try:
            tournament = tournament_create(
                organiser=league.organiser,
                name=name,
                ruleset=league.game,
                stages=stages,
                options=league.options,
                limits=Limits.from_dict(league.limits),
                tie_breaks=FORMATS[stages[0].format].tie_breaks,
                entrants_most=best,
                entries_per_author=league.bots_per_author,
                keep_apart=KeepApart.AUTHOR,
                admission=Admission.INVITED,
                first_round_at=first_round_at,
                time_zone=time_zone,
                audience=league.audience,
                group_id=league.group_id,
            )
        except OverCap as error:
            raise CupRefused("over_cap", str(error)) from None
        number = weekly.made if weekly else None
        cup = LadderCup.objects.create(tournament=tournament, season=season, best=best, weekly=weekly, number=number)
        tournament_open(tournament=tournament)
        refused = [one for one in field.taken if not _entered(tournament, one)]
        few = len(field.taken) - len(refused)
        if few < (least := tournament.stage.smallest_field):
            raise CupRefused("too_few", too_few_sentence(few, least))
        passed_over = [[one.bot.pk, one.place, one.why] for one in field.passed_over]
        cup.passed_over = [*passed_over, *([one.bot.pk, one.place, PassedOver.REFUSED] for one in refused)]
        cup.save(update_fields=["passed_over"])
        announce_later(league.pk)
    return tournament


def _entered(tournament: Tournament, one: LadderPlace) -> bool:
    """Enter a bot; False if it may not enter by now."""
    try:
        entry_create(tournament=tournament, bot=one.bot, by=tournament.organiser, ladder_place=one.place)
    except EntryRefused:
        return False
    return True


def too_few_sentence(few: int, least: int) -> str:
    """Say that no table can be filled."""
    sentence = _(
        "Of this ladder %(few)d may be entered, and it takes %(least)d bots to start: wait until more have joined whose"
        " authors let organisers enter them."
    )
    return sentence % {"few": few, "least": least}


def stages_of_preset(preset: Preset, players: int) -> list[StagePlan]:
    """Return the stages of a preset at tables of so many ``players``, as the form makes them of its fields."""
    fields = preset.at_tables(players)
    first, final = FORMATS[fields["format"]], FORMATS.get(fields.get("final", ""))
    third = bool(fields.get("third_place"))
    stages = [
        StagePlan(
            format=first.code,
            players_per_table=players,
            rounds=fields["rounds"] if first.takes_rounds else 0,
            blocks=fields["blocks"],
            has_third_place=third and first.takes_third_place,
        )
    ]
    if final is not None:
        last = StagePlan(
            format=final.code,
            players_per_table=2 if 2 in final.tables else players,
            entrants=fields["final_entrants"],
            blocks=fields["final_blocks"],
            has_third_place=third and final.takes_third_place,
        )
        stages.append(last)
    return stages
