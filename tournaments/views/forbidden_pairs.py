"""The bots that are kept apart. Readers of the tournament may see them, and the organiser may change them."""

from collections.abc import Iterable
from typing import Any, Final

from django import forms
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from bots.selectors import bot_author_shown
from tournaments.entry_form import EntryField
from tournaments.errors import TournamentError
from tournaments.models import Entry
from tournaments.selectors.entering.visible import may_own_tournament
from tournaments.selectors.rounds.forbidden_pairs import keeps_forbidden_pairs_apart
from tournaments.services import forbidden_group_create, forbidden_pair_create
from tournaments.views.lookups import own_tournament, tournament_or_404
from web.page_cache import public_page


@public_page()
@require_http_methods(["GET", "POST"])
def tournament_forbidden_pairs_view(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = own_tournament(request, slug) if request.method == "POST" else tournament_or_404(request, slug)
    entries = tournament.entries.filter(is_withdrawn=False)
    of_group = "names" in request.POST
    form = PairForm(None if of_group else request.POST or None, entries=entries, joined=_("does not meet"))
    group = GroupForm(request.POST if of_group else None, entries=entries)
    form_sent = group if of_group else form
    if form_sent.is_valid():
        try:
            if of_group:
                forbidden_group_create(tournament=tournament, entries=group.cleaned_data["names"])
            else:
                forbidden_pair_create(tournament=tournament, **form.pair())
        except TournamentError as error:
            form_sent.add_error(None, str(error))
        else:
            return redirect("tournaments:apart", slug)
    context = {
        "tournament": tournament,
        "pairs": tournament.forbidden_pairs.select_related("one__bot", "other__bot"),
        "runs": may_own_tournament(request.user, tournament),
        "possible": keeps_forbidden_pairs_apart(tournament),
        "groups": tournament.kept_groups.prefetch_related("entries__bot__owner"),
        "form": form,
        "group_form": group,
    }
    return render(request, "tournaments/apart.html", context, status=422 if form_sent.errors else 200)


GROUP_MOST: Final = 200  # names


class PairForm(forms.Form):
    def __init__(self, *args: Any, entries: QuerySet[Entry], joined: Any, **kwargs: Any) -> None:
        """Add two fields, each to choose a bot. ``joined`` is the text between the two names."""
        super().__init__(*args, **kwargs)
        one = EntryField(entries, label=_("Bot"))
        other = EntryField(entries, like=one, label=joined)
        self.fields |= {"one": one, "other": other}

    def pair(self) -> dict[str, Entry]:
        return {"one": self.cleaned_data["one"], "other": self.cleaned_data["other"]}


class GroupForm(forms.Form):
    """The form for a group of bots. The organiser types names of bots, or of authors for all their bots."""

    names = forms.CharField(
        label=_("Bots or authors, one a line"),
        max_length=GROUP_MOST * 100,
        widget=forms.Textarea({"rows": 6}),
        help_text=_("An author's name stands for all of their bots in this tournament."),
    )

    def __init__(self, *args: Any, entries: QuerySet[Entry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._entries = entries

    def clean_names(self) -> list[Entry]:
        return forbidden_pair_form_entries(self._entries, self.cleaned_data["names"].splitlines())


def forbidden_pair_form_entries(entries: QuerySet[Entry], names: Iterable[str]) -> list[Entry]:
    """Return the entries that ``names`` mean. A name is that of a bot, its slug, or that of an author for all bots.

    Raises:
        ValidationError: a name is unknown, or there are too many names.
    """
    wanted = list(dict.fromkeys(name.strip() for name in names if name.strip()))
    if len(wanted) > GROUP_MOST:
        raise forms.ValidationError(_("At most %(most)d names at a time.") % {"most": GROUP_MOST})
    found: dict[int, Entry] = {}
    known: set[str] = set()
    named = Q(bot__name__in=wanted) | Q(bot__slug__in=wanted) | Q(shown__in=wanted, bot__is_house=False)
    for entry in (
        entries.annotate(shown=bot_author_shown("bot__")).filter(named).select_related("bot__owner").order_by("pk")
    ):
        found[entry.pk] = entry
        known |= {entry.bot.name, entry.bot.slug, entry.bot.author_name}
    if missing := [name for name in wanted if name not in known]:
        sentence = _("No bot or author of this tournament is called “%(name)s”.")
        raise forms.ValidationError(sentence % {"name": missing[0][:100]})
    return list(found.values())
