"""Pages of questions: list, ask, answer and delete them."""

from typing import Final

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from announcements.models import QUESTION_MOST, TEXT_MOST
from announcements.questions import services
from announcements.questions.selectors import answered_question, deletable_question, question_subject, questions_seen
from announcements.questions.services import AnsweredMeanwhile
from announcements.subjects import announcement_subject_or_404
from web.errors import Refusal
from web.page_cache import public_page
from web.requests import request_user

ROWS: Final = 20


@public_page(query=("page",))
@require_safe
def question_list_view(request: HttpRequest, subject: str, slug: str) -> HttpResponse:
    """List the questions that the user may see, open ones first."""
    found = announcement_subject_or_404(request, subject, slug=slug)
    page = Paginator(questions_seen(request.user, found), ROWS).get_page(request.GET.get("page"))
    return render(request, "announcements/questions.html", {"subject": found, "page": page})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def question_ask_view(request: HttpRequest, subject: str, slug: str) -> HttpResponse:
    """Ask the organisers of a subject."""
    found = question_subject(request, subject, slug=slug)
    form = QuestionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            services.question_ask(subject=found, by=request_user(request), **form.cleaned_data)
        except Refusal as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("Your question is sent. You get a notice when it is answered."))
            return redirect("announcements:questions", subject, slug)
    context = {"subject": found, "form": form}
    return render(request, "announcements/ask.html", context, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def question_answer_view(request: HttpRequest, question_id: int) -> HttpResponse:
    """Answer a question or change its answer. If somebody else has answered meanwhile, show that answer."""
    one, found = answered_question(request, question_id)
    initial = {"answer": one.answer, "is_published": one.published_at is not None, "edits": one.edits}
    form = AnswerForm(request.POST or None, initial=initial)
    was_faster = False
    if one.published_at is not None:
        del form.fields["is_published"]
    if request.method == "POST" and form.is_valid():
        values = {"is_published": True} | form.cleaned_data | {"edits": form.cleaned_data["edits"] or 0}
        try:
            services.question_answer(question=one, subject=found, by=request_user(request), **values)
        except AnsweredMeanwhile as error:
            was_faster = True
            one.refresh_from_db()
            form.data = typed = request.POST.copy()
            typed["edits"] = str(one.edits)
            form.add_error(None, str(error))
        except Refusal as error:
            form.add_error(error.field if error.field in form.fields else None, str(error))
        else:
            published, sent = _("The answer is published."), _("The answer was sent to the person who asked.")
            messages.success(request, published if one.published_at else sent)
            return redirect("announcements:questions", found.kind, found.slug)
    context = {"subject": found, "form": form, "one": one, "was_faster": was_faster}
    return render(request, "announcements/answer.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def question_delete_view(request: HttpRequest, question_id: int) -> HttpResponse:
    """Delete a question."""
    one, found = deletable_question(request, question_id)
    try:
        services.question_delete(question=one, subject=found)
    except Refusal as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("The question is deleted."))
    return redirect("announcements:questions", found.kind, found.slug)


class QuestionForm(forms.Form):
    text = forms.CharField(
        label=gettext_lazy("Your question"), max_length=QUESTION_MOST, widget=forms.Textarea({"rows": 5})
    )


class AnswerForm(forms.Form):
    """``edits`` is the number of answers when the form was shown."""

    answer = forms.CharField(
        label=gettext_lazy("Answer"),
        max_length=TEXT_MOST,
        widget=forms.Textarea({"rows": 6}),
        help_text=gettext_lazy("Markdown: lists, links, **bold**, *italic*."),
    )
    is_published = forms.BooleanField(
        label=gettext_lazy("Publish question and answer"),
        required=False,
        help_text=gettext_lazy(
            "Everybody who can see this page can read both, without the name of the person who asked. Otherwise only "
            "that person can."
        ),
    )
    edits = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=0)
