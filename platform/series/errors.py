"""Why something of a series is refused."""

from django.utils.translation import gettext as _

from web.errors import Refusal


class SeriesRefused(Refusal):
    """What was asked for would break a rule of series; the text says which."""

    def __init__(self, code: str, sentence: str, field: str = "", status: int = 409) -> None:
        self.code, self.field, self.status = code, field, status
        super().__init__(sentence)


def not_own() -> SeriesRefused:
    return SeriesRefused(
        "not_own", _("Only tournaments of the organiser of the series can be added."), "tournament", 400
    )
