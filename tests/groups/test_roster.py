"""A pasted roster: its lines, the preview, and that applying it does the same."""

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from groups import services
from groups.errors import RosterChanged
from groups.models import GroupInvitation, GroupMember, GroupRole, MailboxLetter, MemberChange, RosterRow
from groups.roster_csv import MOST, ROWS_MOST, RosterFault, RosterTooLarge, group_roster_read
from groups.roster_plan import RosterOutcome, group_roster_plan
from groups.services.emails import MAILBOX_MOST
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.groups.factories import GroupFactory, member_in
from web.email import MailAway

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    cache.clear()


@pytest.fixture
def group() -> Any:
    return GroupFactory()


def lines_of(text: str) -> list[tuple[str, ...]]:
    return [
        (one.name, one.email, one.roster_id, one.cohort, one.alias, one.fault or "") for one in group_roster_read(text)
    ]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Ada,ada@example.org,10b,Wren", [("Ada", "ada@example.org", "", "10b", "Wren", "")]),
        ("Ada;17;10b", [("Ada", "", "17", "10b", "", "")]),
        ("Ada\tada@example.org\t10b\tWren", [("Ada", "ada@example.org", "", "10b", "Wren", "")]),
        (
            "ada@example.org\n\n  \nbob@example.org",
            [("", "ada@example.org", "", "", "", ""), ("", "bob@example.org", "", "", "", "")],
        ),
        ("ada@example.org,10b", [("", "ada@example.org", "", "10b", "", "")]),
        ('"Lovelace, Ada",ada@example.org', [("Lovelace, Ada", "ada@example.org", "", "", "", "")]),
        ("Name;E-Mail;Klasse\nAda;ada@example.org;10b", [("Ada", "ada@example.org", "", "10b", "", "")]),
        (
            "\ufeffid,full name,ignored,email\r\n7,Ada,x,ada@example.org\r\n",
            [("Ada", "ada@example.org", "7", "", "", "")],
        ),
        ("Name\nAda", [("Ada", "", "", "", "", "")]),
        ("'=1+1,17", [("=1+1", "", "17", "", "", "")]),
        ("Ada,a@@b", [("Ada", "a@@b", "", "", "", "address")]),
        (",,10b", [("", "", "", "10b", "", "nobody")]),
        ("Ada,17,10b,Wren,more", [("Ada", "", "17", "10b", "Wren", "columns")]),
        ("A\u202eda,17", [("A\ufffdda", "", "17", "", "", "unreadable")]),
        ("x" * 81, [("x" * 80, "", "", "", "", "too_long")]),
        ("Ada,17\nBob,17", [("Ada", "", "17", "", "", ""), ("Bob", "", "17", "", "", "twice_id")]),
        ("月 王,17,Ж,🐔\nÖkina,18", [("月 王", "", "17", "Ж", "🐔", ""), ("Ökina", "", "18", "", "", "")]),
    ],
)
def test_lines_are_parsed(text: str, lines: list[tuple[str, ...]]) -> None:
    assert lines_of(text) == lines


def test_the_second_of_two_lines_with_one_address_is_left_out() -> None:
    first, second = group_roster_read("Ada,ADA@example.org\nBob,ada@EXAMPLE.org")
    assert (first.fault, second.fault, second.of_line) == (None, RosterFault.TWICE_EMAIL, 1)


@given(st.text(max_size=400))
def test_nothing_that_is_pasted_breaks_the_reader(text: str) -> None:
    for line in group_roster_read(text):
        assert all(len(getattr(line, name)) <= most for name, most in MOST.items())
        assert all(getattr(line, name).isprintable() for name in MOST)
        assert line.fault or line.name or line.email or line.roster_id


PLAIN = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=20)


@given(st.lists(st.tuples(PLAIN, PLAIN), max_size=20, unique_by=lambda one: one[1]), st.sampled_from("\t;,"))
def test_a_roster_of_a_spreadsheet_is_read(people: list[tuple[str, str]], separator: str) -> None:
    written = io.StringIO()
    csv.writer(written, delimiter=separator).writerows([("name", "id"), *people])
    assert [(one.name, one.roster_id) for one in group_roster_read(written.getvalue()) if not one.fault] == people


def test_a_roster_is_bounded() -> None:
    assert len(group_roster_read("\n".join(f"P,{n}" for n in range(ROWS_MOST)))) == ROWS_MOST
    for text in ("x\n" * (ROWS_MOST + 1), "x" * 1_000_001):
        with pytest.raises(RosterTooLarge):
            group_roster_read(text)


def with_account(email: str, **fields: Any) -> Any:
    person = UserFactory(email=email, **fields)
    EmailAddress.objects.create(user=person, email=email, verified=True, primary=True)
    return person


TEXT = """name,email,id,cohort,alias
Joins,joins@example.org,1,a,Wren
Invited,invited@example.org,2,a,
Staff,staff@example.org,3,,
Left,left@example.org,4,,
Unconfirmed,unconfirmed@example.org,5,,
Member,member@example.org,6,b,Robin
Slip,,7,b,
Twice,joins@example.org,8,,
Broken,nonsense,9,,
Role,,10,,Organiser
,,,,
"""


def everybody(group: Any) -> dict[str, Any]:
    people = {name: with_account(f"{name}@example.org") for name in ("joins", "left", "member")}
    people["staff"] = with_account("staff@example.org", is_staff=True)
    UserFactory(email="unconfirmed@example.org")
    member_in(group, people["member"])
    member_in(group, people["left"])
    services.group_member_leave(group=group, person=people["left"])
    return people


def outcomes(group: Any, text: str) -> list[str]:
    return [step.outcome.value for step in group_roster_plan(group, group_roster_read(text)).steps]


def test_the_preview_of_each_line_matches_its_result(group: Any) -> None:
    people = everybody(group)
    plan = group_roster_plan(group, group_roster_read(TEXT))
    assert [step.outcome for step in plan.steps] == [
        *(
            RosterOutcome.JOINS,
            RosterOutcome.INVITED,
            RosterOutcome.ASKED,
            RosterOutcome.ASKED,
            RosterOutcome.INVITED,
            RosterOutcome.MEMBER,
            RosterOutcome.SLIP,
        ),
        *(RosterOutcome.BROKEN, RosterOutcome.BROKEN, RosterOutcome.BROKEN),
    ]
    services.group_roster_apply(group=group, lines=group_roster_read(TEXT), known=plan.digest, by=group.created_by)
    members = {one.person_id: one for one in GroupMember.objects.exclude(role=GroupRole.OWNER)}
    assert set(members) == {people["joins"].pk, people["member"].pk}
    joined = members[people["joins"].pk]
    assert (joined.name, joined.roster_id, joined.cohort, joined.alias) == ("Joins", "1", "a", "Wren")
    assert members[people["member"].pk].alias == "Robin"
    assert set(RosterRow.objects.values_list("roster_id", flat=True)) == {"2", "3", "4", "5", "7"}
    assert MemberChange.objects.get(act="added").by_id == group.created_by_id
    # Taken again, it changes nothing.
    assert outcomes(group, TEXT)[:7] == ["member", "invited", "asked", "asked", "invited", "member", "slip"]
    again = group_roster_plan(group, group_roster_read(TEXT))
    services.group_roster_apply(group=group, lines=group_roster_read(TEXT), known=again.digest, by=group.created_by)
    assert RosterRow.objects.count() == 5
    assert GroupMember.objects.count() == 3


def test_the_previewed_changes_are_applied_or_none(group: Any) -> None:
    lines = group_roster_read("Ada,ada@example.org")
    known = group_roster_plan(group, lines).digest
    with_account("ada@example.org")  # meanwhile
    with pytest.raises(RosterChanged):
        services.group_roster_apply(group=group, lines=lines, known=known, by=group.created_by)
    assert GroupMember.objects.count() == 1
    assert not RosterRow.objects.exists()


def test_two_lines_for_one_person_by_different_keys_are_detected(group: Any) -> None:
    RosterRow.objects.create(group=group, email="ada@example.org", roster_id="1", name="Ada")
    assert outcomes(group, "Ada,ada@example.org\nAda,1") == ["invited", "broken"]
    assert outcomes(group, "name,email,id\nBob,bob@example.org,1") == ["broken"]


def test_an_alias_or_id_of_somebody_else_is_left_out(group: Any) -> None:
    member_in(group, alias="Wren", roster_id="1")
    RosterRow.objects.create(group=group, name="Bob", roster_id="2", alias="Teal")
    text = "name,id,alias\nA,3,wren\nB,4,TEAL\nBob,2,\nC,5,Heron\nD,1,"
    assert outcomes(group, text) == ["broken", "broken", "slip", "slip", "member"]
    assert outcomes(group, "Bob,2,10b,Teal") == ["slip"]


def test_each_email_is_sent_once_with_its_own_link(group: Any) -> None:
    people = everybody(group)
    plan = group_roster_plan(group, group_roster_read(TEXT))
    services.group_roster_apply(group=group, lines=group_roster_read(TEXT), known=plan.digest, by=group.created_by)
    assert services.group_emails_send(most=3) + services.group_emails_send() == 5
    assert services.group_emails_send() == 0
    to = sorted(one.to[0] for one in mail.outbox)
    assert to == [f"{name}@example.org" for name in ("invited", "joins", "left", "staff", "unconfirmed")]
    message = next(one for one in mail.outbox if one.to == ["staff@example.org"])
    path = message.body.split("/join/", 1)[1].split("/", 1)[0]
    assert path not in str(list(GroupInvitation.objects.values()))
    client = Client()
    client.force_login(people["staff"])
    client.get(f"/join/{path}/")
    client.post("/join/accept/")
    assert GroupMember.objects.get(person=people["staff"]).roster_id == "3"
    other = Client()
    other.force_login(UserFactory())
    assert other.get(f"/join/{path}/").status_code == 404  # a letter is one person's


def test_a_mail_server_that_is_away_delays_and_loses_nothing(group: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    RosterRow.objects.create(group=group, name="Ada", email="ada@example.org")
    member_in(group, is_untold=True)

    def away(*_args: Any, **_kwargs: Any) -> None:
        raise MailAway

    with monkeypatch.context() as patch:
        patch.setattr("django.core.mail.message.EmailMessage.send", away)
        assert services.group_emails_send() == 0
    assert services.group_emails_send() == 2
    assert len(mail.outbox) == 2


def test_an_email_of_a_killed_process_is_sent_again_with_the_same_message_id(
    group: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    RosterRow.objects.create(group=group, name="Ada", email="ada@example.org")
    member_in(group, is_untold=True)
    send = EmailMessage.send

    def send_and_die(message: EmailMessage, *args: Any, **kwargs: Any) -> None:
        send(message, *args, **kwargs)
        raise SystemExit

    for _ in range(2):  # the letter to who is invited, then also the one to who was added
        with monkeypatch.context() as patch:
            patch.setattr("django.core.mail.message.EmailMessage.send", send_and_die)
            with pytest.raises(SystemExit):
                services.group_emails_send()
    assert services.group_emails_send() == 0  # both are claimed
    RosterRow.objects.update(letter_claimed_until=timezone.now())
    GroupMember.objects.update(letter_claimed_until=timezone.now())
    assert services.group_emails_send() == 2
    assert services.group_emails_send() == 0
    messages = {one.extra_headers["Message-ID"]: one.body for one in mail.outbox}
    assert (len(mail.outbox), len(messages)) == (4, 2)
    assert len({one.body for one in mail.outbox}) == 2  # with the same link
    assert GroupInvitation.objects.filter(kind="letter", revoked_at=None, uses_left=1).count() == 1


def test_a_mailbox_without_an_account_gets_three_emails_a_day(group: Any) -> None:
    for number in range(MAILBOX_MOST + 2):
        other = group if number == 0 else GroupFactory.create()
        RosterRow.objects.create(group=other, name="Ada", email=["ada@example.org", "ADA@example.org"][number % 2])
    RosterRow.objects.create(group=group, name="Bob", email="bob@example.org")
    assert services.group_emails_send(most=MAILBOX_MOST + 2) + services.group_emails_send() == MAILBOX_MOST + 1
    assert sum(one.to[0].lower() == "ada@example.org" for one in mail.outbox) == MAILBOX_MOST
    RosterRow.objects.filter(written_at__isnull=False).delete()  # taking them off and on again changes nothing
    RosterRow.objects.create(group=group, name="Ada", email="ada@example.org")
    assert services.group_emails_send() == 0
    tomorrow = timezone.now() - timedelta(days=1, minutes=1)
    MailboxLetter.objects.update(created_at=tomorrow)
    RosterRow.objects.update(letter_claimed_until=timezone.now())
    assert services.group_emails_send() == 3


def test_five_thousand_lines_are_taken_in_a_few_queries(group: Any, django_assert_max_num_queries: Any) -> None:
    with_account("p17@example.org")
    lines = group_roster_read("\n".join(f"P {n},p{n}@example.org,c" for n in range(ROWS_MOST)))
    known = group_roster_plan(group, lines).digest
    with django_assert_max_num_queries(80):
        services.group_roster_apply(group=group, lines=lines, known=known, by=group.created_by)
    assert RosterRow.objects.count() == ROWS_MOST - 1


# Pages.


def test_a_roster_is_pasted_previewed_and_taken(group: Any) -> None:
    everybody(group)
    client = Client()
    client.force_login(group.created_by)
    page = client.post(f"/groups/{group.slug}/roster/", {"text": TEXT})
    assert_clean_page(page)
    assert not RosterRow.objects.exists()
    context = page.context["form"].initial
    answer = client.post(f"/groups/{group.slug}/roster/apply/", context)
    assert answer["Location"] == f"/groups/{group.slug}/roster/"
    assert RosterRow.objects.count() == 5
    listed = client.get(answer["Location"])
    assert_clean_page(listed)
    assert "unconfirmed@example.org" in listed.content.decode()
    stale = client.post(f"/groups/{group.slug}/roster/apply/", context)
    assert stale.status_code == 409
    assert_clean_page(stale)
    row = RosterRow.objects.get(roster_id="7")
    client.post(f"/groups/{group.slug}/roster/{row.pk}/remove/")
    assert not RosterRow.objects.filter(pk=row.pk).exists()
    for wrong in ({}, {"text": ""}, {"text": " \n "}, {"text": "x\n" * 5001}):
        assert client.post(f"/groups/{group.slug}/roster/", wrong).status_code == 422


def test_a_downloaded_roster_has_no_formulas_and_is_read_again(group: Any) -> None:
    member_in(group, name="=cmd|' /C calc'!A0", roster_id="+1", alias="-Wren", cohort="@x")
    RosterRow.objects.create(group=group, name="Ada", email="ada@example.org", roster_id="9")
    client = Client()
    client.force_login(group.created_by)
    answer = client.get(f"/groups/{group.slug}/members/export/")
    text = b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]
    rows = list(csv.reader(io.StringIO(text)))
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@"))]
    read = {one.roster_id: one.name for one in group_roster_read(text)}
    assert read["+1"] == "=cmd|' /C calc'!A0"
    assert read["9"] == "Ada"


def test_a_member_is_given_an_alias_and_a_role_and_is_removed(group: Any) -> None:
    one = member_in(group)
    client = Client()
    client.force_login(group.created_by)
    page = f"/groups/{group.slug}/members/{one.person_id}/"
    assert_clean_page(client.get(page))
    answer = client.post(page, {"alias": "Wren", "roster_id": "1", "cohort": "a", "role": "staff"})
    assert answer["Location"] == f"/groups/{group.slug}/members/"
    one.refresh_from_db()
    assert (one.alias, one.roster_id, one.cohort, one.role) == ("Wren", "1", "a", "staff")
    assert_clean_page(client.get(f"/groups/{group.slug}/members/"))
    member_in(group, alias="Teal")
    assert client.post(page, {"alias": "teal", "role": "staff"}).status_code == 422
    assert client.post(page, {"alias": "a\u202eb", "role": "staff"}).status_code == 422
    staff = Client()
    staff.force_login(one.person)
    staff.post(page, {"alias": "Robin", "role": "owner"})
    one.refresh_from_db()
    assert (one.alias, one.role) == ("Robin", "staff")
    client.post(f"{page}remove/")
    assert not GroupMember.objects.filter(pk=one.pk).exists()
