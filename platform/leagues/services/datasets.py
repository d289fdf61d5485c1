"""The organiser offers the data set of a season that is over, under a licence of their choice."""

from django.utils.translation import gettext as _

from leagues.errors import LeagueWrongState
from leagues.models import Season, SeasonState
from matches.datasets.event import DatasetLicence
from web.page_cache import pages_forget


def season_dataset_licence_set(*, season: Season, licence: str) -> Season:
    """Offer the data set under this licence, or with "" no longer. The same call twice changes nothing.

    Raises:
        LeagueWrongState: the season is not over.
    """
    wished = DatasetLicence(licence).value if licence else ""
    over = Season.objects.filter(pk=season.pk, state=SeasonState.FINISHED)
    if over.exclude(dataset_licence=wished).update(dataset_licence=wished):
        pages_forget()
    season.refresh_from_db()
    if season.is_running:
        raise LeagueWrongState(season.state, _("The data set can be offered once the season is over."))
    return season
