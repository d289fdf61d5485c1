"""One bot of a tournament, chosen from a list of names; typed where the list would be too long for a page."""

from collections.abc import Collection
from typing import Any, Final, Self

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from tournaments.models import Entry
from web.long_select import LongSelect

LISTED_MOST: Final = 1000
TYPED_MOST: Final = 200  # characters


class EntryField(forms.ModelChoiceField):  # type: ignore[type-arg]  # generic in stubs alone
    """One of the ``entries``; ``empty_label`` stands above their names. ``like``: a field for the same entries, whose
    looks at the database serve this one too."""

    default_error_messages = {
        "unknown": _("No bot of this tournament has that name."),
        "several": _("Several bots of this tournament have that name: give the address of the page of one."),
    }

    def __init__(self, entries: QuerySet[Entry], *, like: Self | None = None, **kwargs: Any) -> None:
        self._entries = entries.select_related("bot")
        self._names: Collection[tuple[int, str]] = (
            like._names if like else entries.order_by("bot__name").values_list("pk", "bot__name")[: LISTED_MOST + 1]
        )
        self._is_typed = len(self._names) > LISTED_MOST
        if self._is_typed:
            kwargs["widget"] = forms.TextInput({"maxlength": TYPED_MOST, "autocomplete": "off"})
            kwargs["help_text"] = _("Its name, or the address of its page.")
        super().__init__(self._entries, **{"widget": LongSelect, "empty_label": _("Choose a bot"), **kwargs})
        if not self._is_typed:
            self.widget.choices = lambda: [("", self.empty_label), *self._names]

    def to_python(self, value: Any) -> Any:
        if not self._is_typed or value in self.empty_values:
            return super().to_python(value)
        typed = str(value).strip().replace("\0", "")
        if len(typed) > TYPED_MOST:
            raise self._refused("unknown")
        meant = Q(bot__name=typed)
        if "/" in typed:
            meant |= Q(bot__slug=typed.rstrip("/").rpartition("/")[2])
        if typed.isascii() and typed.isdecimal() and len(typed) < 10:
            meant |= Q(pk=int(typed))  # as the links of the tournament's page name it
        found = list(self._entries.filter(meant)[:2])
        if len(found) != 1:
            raise self._refused("several" if found else "unknown")
        return found[0]

    def _refused(self, code: str) -> ValidationError:
        return ValidationError(self.error_messages[code], code=code)
