"""Template tags and filters for tournaments: tie-breaks, standings cells, lengths of series, teams, and readable
matches.
"""

from collections.abc import Container, Mapping, Sequence
from typing import Protocol

from django import template
from django.contrib.auth.models import AnonymousUser
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from matches.pages.labels import Cost, match_cost_label_rows, match_length_label
from tournaments import format_pages
from tournaments.models import Entry, Stage, Tournament
from tournaments.selectors.entering.registration import entry_team_players_of
from tournaments.selectors.entering.visible import tournament_matches_visible
from tournaments.selectors.pages.standings_shown import BoardLine, StandingsShown
from tournaments.standings import LOT, Value
from web.templatetags.numbers import halves

register = template.Library()


@register.filter
def worth(value: Value | None, code: str) -> str | SafeString:
    """Return the value of a tie-break as text; a dash if there is none.

    A lot is shown by its first digits, and a margin with its sign.
    """
    if value is None:
        return "–"  # noqa: RUF001
    if isinstance(value, str):
        return format_html("<code>{}</code>", value[:6]) if code == LOT else value
    if code == "margin":
        sign = "+" if value > 0 else "−" if value < 0 else ""  # noqa: RUF001
        return f"{sign}{halves(abs(value))}"
    return halves(value)


@register.simple_tag
def more_cells(key: str, line: BoardLine, standings: StandingsShown) -> SafeString:
    """Return the cells of a standings row for *More columns*: matches, game points, tie-breaks, and games with faults.

    ``key`` is part of the ids of the cells. A template would take half of the time of a row for these cells.
    """
    row, total = line.row, "" if line.total is None else f"/{line.total}"
    tie_break = {True: " tie-break blank", False: " tie-break"}
    cells = [
        ("", "played", gettext("Played"), f"{row.played}{total}"),
        ("", "game_points", standings.unit, row.game_points),
        *(
            (tie_break[one.code in standings.blank], one.code, gettext(one.name), worth(value, one.code))
            for one, value in line.values
        ),
        ("", "forfeited", gettext("Games lost to errors"), row.forfeited),
    ]
    return format_html_join(
        "\n",
        '<td class="num more{}" id="s{}-{}" data-label="{}" data-live>{}</td>',
        ((css, key, name, label, value) for css, name, label, value in cells),
    )


@register.filter
def of_entry(values: Mapping[int, str], entry: int) -> str:
    """Return the text for an entry; a dash if there is none."""
    return values.get(entry, "–")  # noqa: RUF001


@register.simple_tag(takes_context=True)
def readable_matches(context: template.Context, tournament: Tournament) -> Container[int]:
    """Return the matches of the tournament to which its pages may link, because the reader may see them."""
    return tournament_matches_visible(context.get("user") or AnonymousUser(), tournament)


class HasLength(Protocol):
    stopping: dict[str, object]
    blocks: int


@register.filter
def series_length(played: HasLength) -> str:
    """Return the announced length of each match."""
    return match_length_label(played.stopping, played.blocks)


@register.filter
def series_costs(played: HasLength) -> list[Cost]:
    """Return the expected costs of a series with a stopping rule; nothing for a fixed length."""
    return match_cost_label_rows(played.stopping, played.blocks)


@register.filter
def ended_early(stage: Stage) -> str:
    """Return why the stage had fewer rounds than announced; "" if it did not."""
    return format_pages.format_stage_ended_early(stage)


@register.simple_tag
def team_players(entry: Entry, tournament: Tournament) -> Sequence[str]:
    """Return the names of the people who were in the entry's team when entries were frozen.

    Takes one query for each tournament.
    """
    known = getattr(tournament, "_team_players", None)
    if known is None:
        known = tournament._team_players = entry_team_players_of(tournament)  # type: ignore[attr-defined]
    return known.get(entry.bot.owner_id, ())
