"""Becoming an organiser: requested on a page, granted in the admin, notified by email, and logged."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from contests.models import OrganiserChange, OrganiserRequest
from contests.permissions import NotAnOrganiser, may_organise
from contests.services import RequestRefused, organiser_ask, organiser_request_decide, organiser_set
from notices.emails import due_notice_emails_send
from notices.models import Notice
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.arena.pages import assert_clean_page
from tournaments.services import tournament_create

pytestmark = pytest.mark.django_db
PATH = "/organisers/"


@pytest.fixture
def hen(client):
    user = UserFactory(username="hen")
    client.force_login(user)
    return user


@pytest.fixture
def staff():
    return UserFactory(username="boss", is_staff=True, is_superuser=True)


def decide(client, staff, action, *requests):
    client.force_login(staff)
    data = {"action": action, "_selected_action": [one.pk for one in requests], "confirmed": "1"}
    return client.post(reverse("admin:organisers_organiserrequest_changelist"), data, follow=True)


def test_a_request_is_granted_by_staff_and_the_person_creates_a_tournament(
    client, hen, staff, mailoutbox, django_capture_on_commit_callbacks
):
    assert_clean_page(client.get(PATH))
    assert client.post(PATH, {"reason": "A cup for my school."}).url == PATH
    assert "waits for staff" in client.get(PATH).content.decode()
    request = OrganiserRequest.objects.get(person=hen)
    client.force_login(staff)
    listed = client.get(reverse("admin:organisers_organiserrequest_changelist"), {"state": "waiting"})
    assert "A cup for my school." in listed.content.decode()
    assert "hen" in client.get(reverse("admin:accounts_user_changelist"), {"asks": "yes"}).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        assert "Done for 1 row" in decide(client, staff, "grant", request).content.decode()
    assert due_notice_emails_send() == 1
    hen.refresh_from_db()
    assert may_organise(hen)
    change = OrganiserChange.objects.get()
    assert (change.person, change.is_granted, change.by) == (hen, True, staff)
    assert abs(change.created_at - timezone.now()) < timedelta(minutes=1)
    [message] = mailoutbox
    assert message.to == [hen.email]
    assert "/tournaments/new/" in message.body
    client.force_login(hen)
    assert "You are an organiser." in client.get(PATH).content.decode()
    assert client.get("/tournaments/new/").status_code == 200


def test_a_request_is_decided_once(hen, staff, mailoutbox, django_capture_on_commit_callbacks):
    request = organiser_ask(person=hen, reason="A league.")
    with django_capture_on_commit_callbacks(execute=True):
        assert organiser_request_decide(request_id=request.pk, granted=False, by=staff)
        assert not organiser_request_decide(request_id=request.pk, granted=True, by=staff)
    assert due_notice_emails_send() == 1
    hen.refresh_from_db()
    assert not may_organise(hen)
    assert ["declined" in message.subject for message in mailoutbox] == [True]
    assert not OrganiserChange.objects.exists()


def test_one_request_waits_at_a_time_and_the_next_may_come_a_week_after_a_no(hen, staff):
    request = organiser_ask(person=hen, reason="A league.")
    with pytest.raises(RequestRefused, match="has not decided"):
        organiser_ask(person=hen, reason="Please!")
    organiser_request_decide(request_id=request.pk, granted=False, by=staff)
    with pytest.raises(RequestRefused, match="less than a week"):
        organiser_ask(person=hen, reason="Please!")
    OrganiserRequest.objects.update(decided_at=timezone.now() - timedelta(days=8))
    assert organiser_ask(person=hen, reason="Now?").is_granted is None


def test_the_database_holds_one_open_request_for_each_person(hen):
    OrganiserRequest.objects.create(person=hen, reason="one")
    with pytest.raises(IntegrityError), transaction.atomic():
        OrganiserRequest.objects.create(person=hen, reason="two")


@pytest.mark.parametrize("reason", ["", " ", "x" * 501])
def test_a_reason_is_needed_and_short(client, hen, reason):
    response = client.post(PATH, {"reason": reason})
    assert response.status_code == 422
    assert "reason" in response.context["form"].errors
    assert not OrganiserRequest.objects.exists()


def test_an_organiser_gets_no_request_form():
    with pytest.raises(RequestRefused, match="already"):
        organiser_ask(person=OrganiserFactory(), reason="More!")


def test_staff_makes_and_unmakes_organisers_by_actions_that_are_logged(client, hen, staff):
    organiser_ask(person=hen, reason="A league.")
    client.force_login(staff)
    people = reverse("admin:accounts_user_changelist")
    for action, organiser in (("make_organisers", True), ("end_organisers", False)):
        client.post(people, {"action": action, "_selected_action": [hen.pk], "confirmed": "1"})
        hen.refresh_from_db()
        assert hen.is_organiser is organiser
    logged = OrganiserChange.objects.order_by("pk").values_list("person", "is_granted", "by")
    assert list(logged) == [(hen.pk, True, staff.pk), (hen.pk, False, staff.pk)]
    assert OrganiserRequest.objects.get().is_granted
    assert not organiser_set(person_id=hen.pk, organiser=False, by=staff)


def test_nobody_becomes_an_organiser_by_a_field_of_the_admin(client, hen, staff):
    client.force_login(staff)
    address = reverse("admin:accounts_user_change", args=[hen.pk])
    form = client.get(address).context["adminform"].form
    assert "is_organiser" not in form.fields
    client.post(address, {"username": "hen", "is_organiser": "on", "is_active": "on"})
    client.post(
        reverse("admin:accounts_user_changelist"),
        {"form-TOTAL_FORMS": 1, "form-INITIAL_FORMS": 1, "form-0-id": hen.pk, "form-0-is_organiser": "on"},
    )
    hen.refresh_from_db()
    assert not hen.is_organiser


def test_staff_without_the_right_to_change_people_grants_nothing(client, hen):
    request = organiser_ask(person=hen, reason="A league.")
    decide(client, UserFactory(is_staff=True), "grant", request)
    hen.refresh_from_db()
    assert not hen.is_organiser


def test_a_request_is_a_notice_to_the_staff_who_may_decide_and_to_nobody_else(client, hen, staff):
    decides = UserFactory(is_staff=True)
    decides.user_permissions.add(Permission.objects.get(codename="change_user"))
    others = [UserFactory(is_staff=True), OrganiserFactory(), UserFactory()]
    others[2].user_permissions.add(Permission.objects.get(codename="change_user"))  # staff no longer
    request = organiser_ask(person=hen, reason="A league.")
    with pytest.raises(RequestRefused):
        organiser_ask(person=hen, reason="A league!")
    notices = Notice.objects.filter(kind="organiser.requested")
    assert sorted(notices.values_list("person", flat=True)) == sorted([staff.pk, decides.pk])
    client.force_login(decides)
    page = client.get("/notices/").content.decode()
    assert "Somebody asks to become an organiser." in page
    followed = client.get(reverse("notices:follow", args=[notices.get(person=decides).pk]))
    assert followed.url == reverse("admin:organisers_organiserrequest_change", args=[request.pk])


def test_the_service_refuses_too():
    with pytest.raises(NotAnOrganiser):
        tournament_create(organiser=UserFactory(), name="Cup", ruleset="pickomino")
