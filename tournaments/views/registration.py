"""Questions to entrants: the organiser's page with questions and answers, and an entrant's own answers."""

from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.entry_form import (
    EntryAnswersForm,
    EntryForm,
    RegistrationQuestionForm,
    entry_form_answer_refused,
    entry_form_answers_initial,
)
from tournaments.errors import AnswerRefused, EntryRefused, QuestionRefused, TournamentError
from tournaments.models import CHOICE_LENGTH, ENTERING
from tournaments.selectors.entering.registration import (
    own_registration_answers,
    registration_answers_columns,
    registration_answers_line,
    registration_answers_rows,
    registration_categories_of,
    registration_entries_to_answer,
    registration_questions_of,
    registration_questions_open,
)
from tournaments.selectors.entering.visible import may_own_tournament
from tournaments.services import (
    entries_create,
    entry_category_set,
    entry_withdraw,
    registration_answers_set,
    registration_question_add,
    registration_question_remove,
)
from tournaments.views.invitations import tournament_invitation_opened
from tournaments.views.lookups import own_entry_or_404, own_tournament, ruled_tournament, tournament_or_404
from tournaments.views.pages import tournament_detail_view, tournament_page_refused
from web.downloads import csv_response
from web.requests import request_user

ON_A_PAGE: Final = 100


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def tournament_registration_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the questions and all answers to the people who run the tournament.

    A POST request of the organiser adds a question.
    """
    tournament = ruled_tournament(request, slug)
    form = RegistrationQuestionForm()
    if request.method == "POST":
        tournament = own_tournament(request, slug)
        form = RegistrationQuestionForm(request.POST)
        try:
            if form.is_valid():
                registration_question_add(tournament=tournament, **form.settings)
                return redirect("tournaments:registration", slug)
        except QuestionRefused as error:
            form.add_error(error.field or None, str(error))
        except TournamentError as error:
            return tournament_page_refused(request, slug, error)
    questions = registration_questions_of(tournament)
    page = Paginator(registration_entries_to_answer(tournament), ON_A_PAGE).get_page(request.GET.get("page"))
    context: dict[str, Any] = {
        "tournament": tournament,
        "questions": questions,
        "asks": may_own_tournament(request.user, tournament) and tournament.state in ENTERING,
        "form": form,
        "categories": registration_categories_of(tournament),
        "sorts": may_own_tournament(request.user, tournament) and not tournament.is_over,
        "page": page,
        "lines": [registration_answers_line(entry, questions) for entry in page],
    }
    return render(request, "tournaments/registration.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def registration_question_remove_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    try:
        registration_question_remove(tournament=own_tournament(request, slug), number=number)
    except TournamentError as error:
        return tournament_page_refused(request, slug, error)
    return redirect("tournaments:registration", slug)


@require_POST
@login_required
def entry_category_view(request: HttpRequest, slug: str, entry_id: int) -> HttpResponse:
    """Change the category of a bot, for the organiser."""
    entry = get_object_or_404(own_tournament(request, slug).entries.select_related("bot"), pk=entry_id)
    try:
        entry_category_set(entry=entry, category=request.POST.get("category", "")[:CHOICE_LENGTH])
        messages.success(request, _("The category of %(bot)s is saved.") % {"bot": entry.bot.name})
    except TournamentError as error:
        return tournament_page_refused(request, slug, error)
    return redirect(f"{reverse('tournaments:registration', args=[slug])}#answers")


@never_cache
@require_safe
@login_required
def registration_answers_file_view(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Send the table of answers to those who run the tournament."""
    return registration_answers_response(request, slug, "answers.csv")


def registration_answers_response(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    """Return the table of answers as a file called ``name``, which proxies must not store."""
    tournament = ruled_tournament(request, slug)
    questions = registration_questions_of(tournament)
    answer = csv_response(
        request,
        f"{slug}-{name}",
        registration_answers_columns(questions),
        registration_answers_rows(tournament, questions),
    )
    answer["Cache-Control"] = "private, no-store"
    return answer


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def registration_answers_view(request: HttpRequest, slug: str, entry_id: int) -> HttpResponse:
    """Show an entrant their answers for a bot. A POST request changes them."""
    entry = own_entry_or_404(request, slug, pk=entry_id)
    tournament, user = entry.tournament, request_user(request)
    given = own_registration_answers(entry, user.pk)
    initial = entry_form_answers_initial(given.answers if given else {})
    form = EntryAnswersForm(
        request.POST if request.method == "POST" else None,
        questions=registration_questions_open(tournament),
        initial=initial,
    )
    try:
        if form.is_valid():
            registration_answers_set(entry=entry, answers=form.cleaned_data["answers"], by=user)
            messages.success(request, _("Your answers are saved."))
            return redirect("tournaments:detail", slug)
    except AnswerRefused as error:
        entry_form_answer_refused(form, error)
    except TournamentError as error:
        return tournament_page_refused(request, slug, error)
    is_open = tournament.takes_entries and not entry.is_withdrawn
    answers = (
        [(one, given.answers.get(str(one.number))) for one in registration_questions_of(tournament)] if given else []
    )
    context = {"tournament": tournament, "entry": entry, "form": form, "is_open": is_open, "told": answers}
    return render(request, "tournaments/answers.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def tournament_enter_view(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = tournament_or_404(request, slug)
    user = request_user(request)
    form = EntryForm(request.POST, tournament=tournament, user=user)
    try:
        if form.is_valid():
            link = tournament_invitation_opened(request, tournament)
            bots = form.cleaned_data["bots"]
            answers = form.cleaned_data["answers"]
            entries_create(tournament=tournament, bots=bots, by=user, invitation=link, answers=answers)
            told = ngettext("%(bots)s has entered.", "%(bots)s have entered.", len(bots))
            messages.success(request, told % {"bots": ", ".join(bot.name for bot in bots)})
            return redirect("tournaments:detail", slug)
    except EntryRefused as error:
        form.add_error("bot", str(error))
    except AnswerRefused as error:
        entry_form_answer_refused(form, error)
    except TournamentError as error:
        return tournament_page_refused(request, slug, error)
    return tournament_detail_view(request, slug, entry_form=form, status=422)


@require_POST
@login_required
def entry_withdraw_view(request: HttpRequest, slug: str, entry_id: int) -> HttpResponse:
    tournament = tournament_or_404(request, slug)
    entry = get_object_or_404(tournament.entries.select_related("bot"), pk=entry_id)
    try:
        entry_withdraw(entry=entry, by=request_user(request))
    except EntryRefused as error:
        messages.error(request, str(error))
        return tournament_detail_view(request, slug, status=403 if error.code == "not_yours" else 409)
    except TournamentError as error:
        return tournament_page_refused(request, slug, error)
    return redirect("tournaments:detail", slug)
