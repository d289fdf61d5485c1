"""Requests to become an organiser and their results, on a page and in the API."""

from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from contests.actions import ERRORS
from contests.models import MAX_REASON, OrganiserRequest
from contests.permissions import may_organise
from contests.services import RequestRefused, organiser_ask
from web.api_errors import Refused
from web.api_examples import serializer_example
from web.api_view import Item, JSONBody
from web.requests import request_user


class AskForm(forms.Form):
    reason = forms.CharField(
        label=_("What would you like to organise?"),
        help_text=_("For whom, how often, about how many bots."),
        max_length=MAX_REASON,
        widget=forms.Textarea({"rows": 4}),
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def organiser_request_view(request: HttpRequest) -> HttpResponse:
    form = AskForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            organiser_ask(person=request_user(request), reason=form.cleaned_data["reason"])
        except RequestRefused as error:
            form.add_error(None, str(error))
        else:
            sentence = _("Your request waits for staff. You will get an answer by email and on this page.")
            messages.success(request, sentence)
            return redirect("organisers:ask")
    return organiser_request_page(request, form, status=422 if form.errors else 200)


def organiser_request_page(request: HttpRequest, form: AskForm | None = None, *, status: int = 403) -> HttpResponse:
    """Show how to become an organiser. It is also the response to a user who may not create contests."""
    last = OrganiserRequest.objects.filter(person=request_user(request).pk).first()
    context = {
        "form": form or AskForm(),
        "last": last,
        "may_organise": may_organise(request.user),
        "refused": status == 403,
    }
    return render(request, "contests/ask.html", context, status=status)


@serializer_example(reason="A cup for my class of twenty, each term.")
class OrganiserRequestSerializer(serializers.ModelSerializer[OrganiserRequest]):
    """A request to become an organiser; `is_granted` is null until staff has decided."""

    class Meta:
        model = OrganiserRequest
        fields = ("reason", "created_at", "is_granted", "decided_at")
        read_only_fields = ("created_at", "is_granted", "decided_at")


class OrganiserRequestView(Item):
    """My last request to become an organiser."""

    write_scope = "organise"
    serializer_class: Any = OrganiserRequestSerializer
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)
    throttle_scope = "upload"

    def get_object(self) -> OrganiserRequest:
        requests = OrganiserRequest.objects.filter(person=cast(AbstractUser, self.request.user).pk)
        return get_object_or_404(requests[:1])

    @extend_schema(
        summary="Ask to become an organiser",
        description="409 `refused`: a request is waiting, was declined less than a week ago, or is not needed.",
        request=OrganiserRequestSerializer,
        responses={201: OrganiserRequestSerializer, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        sent = self.get_serializer(data=request.data)
        sent.is_valid(raise_exception=True)
        try:
            made = organiser_ask(person=cast(AbstractUser, request.user), reason=sent.validated_data["reason"])
        except RequestRefused as error:
            raise Refused("refused", str(error), status_code=status.HTTP_409_CONFLICT) from error
        return Response(self.get_serializer(made).data, status=status.HTTP_201_CREATED)
