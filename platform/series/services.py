"""Create, change, end and delete series, and add tournaments to them."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from announcements.services import announcements_of_subject_delete
from contests.audience import ContestAudience, audience_widens
from contests.permissions import organiser_permission_require
from notices.following import follows_delete
from series.hook_events import series_finished_event_publish
from series.models import EVENTS_MOST, USUAL_POINTS, SeriesEvent, SeriesScoring, TournamentSeries
from series.selectors.table import series_table
from series.selectors.visible import is_series_result_visible
from tournaments.hook_events import ENTRIES_OPEN, tournament_entries_event_publish
from tournaments.models import Tournament, TournamentState
from web.errors import Refusal
from web.page_cache import pages_forget
from web.topics import topic_states_renew

COUNTED: Final = ("scoring", "place_points", "best")  # settings that affect the table
RESERVED_SLUGS: Final = frozenset({"", "new"})


def series_create(
    *,
    organiser: AbstractUser,
    name: str,
    game: str,
    description: str = "",
    scoring: str = SeriesScoring.PLACES,
    place_points: Sequence[int] = USUAL_POINTS,
    best: int = 0,
    audience: str = ContestAudience.PUBLIC,
    group_id: int | None = None,
) -> TournamentSeries:
    """Create a series without tournaments. Its address is derived from its name.

    Raises:
        NotAnOrganiser: ``organiser`` may not create series.
    """
    organiser_permission_require(organiser)
    series = TournamentSeries(
        organiser_id=organiser.pk,
        name=name,
        game=game,
        description=description,
        scoring=scoring,
        place_points=list(place_points),
        best=best,
        audience=audience,
        group_id=group_id,
    )
    wish = slugify(name)[:80].strip("-")
    for number in range(1, 1000):
        series.slug = wish if number == 1 else f"{wish or 'series'}-{number}"
        if series.slug in RESERVED_SLUGS or TournamentSeries.objects.filter(slug=series.slug).exists():
            continue
        try:
            with transaction.atomic():
                series.save(force_insert=True)
        except IntegrityError:
            if not TournamentSeries.objects.filter(slug=series.slug).exists():
                raise
            continue  # another series got this address meanwhile
        return series
    raise RuntimeError(f"no free address for a series named {name!r}")


def series_update(*, series: TournamentSeries, **fields: Any) -> TournamentSeries:
    """Change fields of a series.

    ``fields`` are some of ``name``, ``description``, ``scoring``, ``place_points``, ``best``, ``audience`` and
    ``group_id``. The game and the address cannot be changed.

    Raises:
        SeriesRefused: somebody in the old audience is not in the new one; somebody in the new audience may not see a
            tournament of the series; or the points would change although the series is over.
    """
    with transaction.atomic():
        series = _locked(series)
        if any(fields.get(name, getattr(series, name)) != getattr(series, name) for name in COUNTED):
            _require_going_on(series, "scoring")
        before = (series.audience, series.group_id)
        wanted = (fields.get("audience", series.audience), fields.get("group_id", series.group_id))
        if wanted != before:
            if not audience_widens(series, *wanted):
                raise SeriesRefused("narrower", _("A series can only be opened to more people."), "audience")
            series.audience, series.group_id = wanted
            for event in series.events.select_related("tournament"):
                _require_seen(series, event.tournament, "audience")
        for name, value in fields.items():
            setattr(series, name, value)
        series.save()
        _changed(series, *series.events.values_list("tournament", flat=True))
    return series


def series_delete(*, series: TournamentSeries) -> None:
    """Delete a series with its announcements and questions. Its tournaments remain."""
    with transaction.atomic():
        tournaments = list(series.events.values_list("tournament", flat=True))
        TournamentSeries.objects.filter(pk=series.pk).delete()
        announcements_of_subject_delete(kind="series", pk=series.pk)
        follows_delete(kind="series", targets=[series.pk])
        _changed(series, *tournaments)
        pages_forget()


def series_add(*, series: TournamentSeries, tournament: Tournament) -> SeriesEvent:
    """Add a tournament of the same organiser to the series. Idempotent.

    Raises:
        SeriesRefused: the tournament has another organiser or game, is in another series, or is not visible to
            everyone who may see this series; or the series is over or has ``EVENTS_MOST`` tournaments.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=tournament.pk)
        series = _locked(series)
        known = SeriesEvent.objects.filter(tournament=tournament).first()
        if known is not None and known.series_id == series.pk:
            return known
        if known is not None:
            raise SeriesRefused("in_a_series", _("This tournament is in another series already."), "tournament")
        if tournament.organiser_id != series.organiser_id:
            raise _not_own()
        if tournament.game != series.game:
            raise SeriesRefused("game", _("All tournaments of a series are of the same game."), "tournament", 400)
        _require_seen(series, tournament, "tournament")
        _require_going_on(series, "tournament")
        if series.events.count() >= EVENTS_MOST:
            sentence = _("A series has %(most)d tournaments at most.") % {"most": EVENTS_MOST}
            raise SeriesRefused("limit", sentence, "tournament")
        event = SeriesEvent.objects.create(series=series, tournament=tournament)
        if tournament.state == TournamentState.OPEN:
            tournament_entries_event_publish(tournament, ENTRIES_OPEN)
        _changed(series, tournament.pk)
    return event


def series_remove(*, series: TournamentSeries, tournament: Tournament) -> None:
    """Remove a tournament from a series. Idempotent.

    Raises:
        SeriesRefused: the series is over.
    """
    with transaction.atomic():
        series = _locked(series)
        _require_going_on(series, "tournament")
        if SeriesEvent.objects.filter(series=series, tournament=tournament).delete()[0]:
            _changed(series, tournament.pk)


def series_end(*, series: TournamentSeries) -> TournamentSeries:
    """End the series. Idempotent.

    Its table becomes final, certificates are available, and no tournament can be added or removed.

    Raises:
        SeriesRefused: a tournament is not over, or its result is not public; no tournament has a result; or a
            tournament was added meanwhile.
    """
    with transaction.atomic():
        counted = Tournament.objects.filter(pk__in=series.events.values("tournament")).order_by("pk")
        held = set(counted.select_for_update().values_list("pk", flat=True))
        series = _locked(series)
        events = series.events.exclude(tournament__state=TournamentState.CANCELLED).select_related("tournament")
        if not held.issuperset(events.values_list("tournament", flat=True)):
            raise SeriesRefused(
                "changed", _("A tournament was added meanwhile. Look at the table, then end the series.")
            )
        going_on = [one.tournament for one in events if not is_series_result_visible(series, one.tournament)]
        if going_on:
            sentence = _("%(name)s is not over, or its results are not shown to everybody yet.")
            raise SeriesRefused("not_over", sentence % {"name": going_on[0].name})
        if not series_table(series).rows:
            raise SeriesRefused("empty", _("No tournament of this series has a result yet."))
        if TournamentSeries.objects.filter(pk=series.pk, ended_at=None).update(ended_at=timezone.now()):
            series_finished_event_publish(series)
            _changed(series)
    series.refresh_from_db()
    return series


def series_reopen(*, series: TournamentSeries) -> TournamentSeries:
    """Reopen the series, so that tournaments can be added again. Idempotent.

    There are no certificates until the series ends again.
    """
    with transaction.atomic():
        if TournamentSeries.objects.filter(pk=series.pk, ended_at__isnull=False).update(ended_at=None):
            _changed(series)
    series.refresh_from_db()
    return series


def _locked(series: TournamentSeries) -> TournamentSeries:
    """Lock the series. A caller that also locks its tournaments must lock these first, in the order of their ids.

    This avoids deadlocks: when a tournament is copied, the copy is added to the series while the original is locked.
    """
    return TournamentSeries.objects.select_for_update().get(pk=series.pk)


def _require_going_on(series: TournamentSeries, field: str) -> None:
    if series.ended_at is not None:
        raise SeriesRefused("ended", _("This series is over. Reopen it first."), field)


def _require_seen(series: TournamentSeries, tournament: Tournament, field: str) -> None:
    if not audience_widens(series, tournament.audience, tournament.group_id):
        sentence = _("Not everybody who can see the series can see the tournament %(name)s.")
        raise SeriesRefused("audience", sentence % {"name": tournament.name}, field)


def _changed(series: TournamentSeries, *tournaments: int) -> None:
    """Invalidate the table. After the commit, let the pages of the series and of ``tournaments`` be rendered again."""
    TournamentSeries.objects.filter(pk=series.pk).update(revision=F("revision") + 1)
    topics = [f"series.{series.pk}", *(f"tournament.{one}" for one in tournaments)]
    transaction.on_commit(partial(topic_states_renew, *topics))


class SeriesRefused(Refusal):
    """Raised when a request breaks a rule of series. The text says which rule."""

    def __init__(self, code: str, sentence: str, field: str = "", status: int = 409) -> None:
        self.code, self.field, self.status = code, field, status
        super().__init__(sentence)


def _not_own() -> SeriesRefused:
    return SeriesRefused(
        "not_own", _("Only tournaments of the organiser of the series can be added."), "tournament", 400
    )
