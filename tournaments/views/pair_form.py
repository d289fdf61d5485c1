"""Two of some bots, chosen by name; or a group of them, typed."""

from collections.abc import Iterable
from typing import Any, Final

from django import forms
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from bots.selectors import author_shown
from tournaments.entry_field import EntryField
from tournaments.models import Entry

GROUP_MOST: Final = 200  # names


class PairForm(forms.Form):
    def __init__(self, *args: Any, entries: QuerySet[Entry], joined: Any, **kwargs: Any) -> None:
        """Offer both bots; ``joined``: what stands between the two names."""
        super().__init__(*args, **kwargs)
        one = EntryField(entries, label=_("Bot"))
        other = EntryField(entries, like=one, label=joined)
        self.fields |= {"one": one, "other": other}

    def pair(self) -> dict[str, Entry]:
        return {"one": self.cleaned_data["one"], "other": self.cleaned_data["other"]}


class GroupForm(forms.Form):
    """A group of the ``entries``: bots, or authors with all of their bots, by name."""

    names = forms.CharField(
        label=_("Bots or authors, one a line"),
        max_length=GROUP_MOST * 100,
        widget=forms.Textarea({"rows": 6}),
        help_text=_("An author stands for all bots of theirs that are in."),
    )

    def __init__(self, *args: Any, entries: QuerySet[Entry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._entries = entries

    def clean_names(self) -> list[Entry]:
        return entries_named(self._entries, self.cleaned_data["names"].splitlines())


def entries_named(entries: QuerySet[Entry], names: Iterable[str]) -> list[Entry]:
    """Return the entries of bots with these names, or slugs, and of all bots of authors with these names.

    Raises:
        ValidationError: there is nobody of one of the names, or they are too many.
    """
    wanted = list(dict.fromkeys(name.strip() for name in names if name.strip()))
    if len(wanted) > GROUP_MOST:
        raise forms.ValidationError(_("At most %(most)d names at a time.") % {"most": GROUP_MOST})
    found: dict[int, Entry] = {}
    known: set[str] = set()
    named = Q(bot__name__in=wanted) | Q(bot__slug__in=wanted) | Q(shown__in=wanted, bot__is_house=False)
    for entry in (
        entries.annotate(shown=author_shown("bot__")).filter(named).select_related("bot__owner").order_by("pk")
    ):
        found[entry.pk] = entry
        known |= {entry.bot.name, entry.bot.slug, entry.bot.author_name}
    if missing := [name for name in wanted if name not in known]:
        sentence = _("No bot or author of this tournament is called “%(name)s”.")
        raise forms.ValidationError(sentence % {"name": missing[0][:100]})
    return list(found.values())
