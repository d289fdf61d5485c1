"""What faults cost: a match, then the place in the tournament; and how the author hears of it."""

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.protocol import Verdict
from matches.models import Fault, Game, Match, MatchState, Seat
from notices.emails import due_notice_emails_send
from notices.models import Notice
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.tournaments.factories import EntryFactory, TournamentFactory, finish_match
from tests.tournaments.rulings.rule import rule, take_back
from tournaments import services
from tournaments.entry_events import WITHDRAWN
from tournaments.errors import EntryRefused
from tournaments.models import Entry, Tournament
from tournaments.selectors.rulings.ruling_log import ruling_sentence
from tournaments.selectors.standings.ranking import standings_of
from tournaments.services.tournament_chain import RECENT
from tournaments.tasks import tournament_match_finished_task, tournaments_tend_task
from web.email import MailAway

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def unsent(monkeypatch):
    monkeypatch.setattr("celery.Celery.send_task", lambda *args, **kwargs: None)


@pytest.fixture
def cup() -> Tournament:
    """A running round robin of four; the author of the second bot has an address."""
    cup = TournamentFactory(entries=1)
    EntryFactory(tournament=cup, owner=UserFactory(username="ada", email="ada@example.org"))
    EntryFactory.create_batch(2, tournament=cup)
    return services.tournament_start(tournament=cup)


def victim(cup: Tournament) -> Entry:
    return cup.entries.select_related("bot__owner", "version").get(bot__owner__username="ada")


def forfeit(cup: Tournament, verdict: str = Verdict.CRASHED) -> Match:
    """The victim's next match ends, and it has forfeited it, though its score is the higher one."""
    seat = Seat.objects.filter(match__fixture__round__tournament=cup, version=victim(cup).version_id)
    seat = seat.filter(match__state=MatchState.QUEUED).order_by("match").first()
    finish_match(seat.match, [2.0 if index == seat.index else 0.0 for index in range(2)])
    Seat.objects.filter(pk=seat.pk).update(has_forfeited=True, faulty_games=1)
    game = Game.objects.create(
        match=seat.match, attempt=1, index=0, record=b"", points=[0, 0], places=[1, 2], reason=""
    )
    Fault.objects.create(game=game, seat=seat, verdict=verdict, action_index=3)
    return seat.match


def tell(match: Match, capture) -> None:
    with capture(execute=True):
        tournament_match_finished_task(match.pk)


def test_one_forfeited_match_is_lost_and_costs_no_more(cup, django_capture_on_commit_callbacks) -> None:
    match = forfeit(cup)
    tell(match, django_capture_on_commit_callbacks)
    opponent = match.seats.exclude(version=victim(cup).version_id).get().version_id
    points = {row.entrant: row.points for row in standings_of(cup.stage)}
    assert points[victim(cup).pk] == 0
    assert points[cup.entries.get(version=opponent).pk] == 1
    assert not victim(cup).is_withdrawn
    assert due_notice_emails_send() == 0


def test_with_the_second_the_bot_is_out_once_and_its_author_told_once(
    cup, settings, django_capture_on_commit_callbacks
) -> None:
    settings.SITE_URL = "https://pecking.example.org"
    for _ in range(2):
        last = forfeit(cup)
    for _ in range(3):  # a message may come again
        tell(last, django_capture_on_commit_callbacks)
    out = victim(cup)
    assert (out.is_withdrawn, out.withdrawn_because, out.forfeits) == (True, "forfeits", 2)
    assert due_notice_emails_send() == 1
    (letter,) = mail.outbox
    assert letter.to == ["ada@example.org"]
    assert out.bot.name in letter.subject
    assert "has forfeited 2 matches" in letter.body
    links = [reverse("bots:failures", args=[out.bot.slug]), reverse("tournaments:detail", args=[cup.slug])]
    assert all(f"https://pecking.example.org{link}" in letter.body for link in links)


def test_its_matches_to_come_are_lost_and_the_others_still_play(cup, django_capture_on_commit_callbacks) -> None:
    for _ in range(2):
        last = forfeit(cup)
    tell(last, django_capture_on_commit_callbacks)
    to_come = Seat.objects.filter(match__fixture__round__tournament=cup, match__state=MatchState.QUEUED)
    assert to_come.filter(has_forfeited=True).count() == 1
    assert set(to_come.filter(has_forfeited=True).values_list("version", flat=True)) == {victim(cup).version_id}


def test_the_sweeper_makes_up_for_a_lost_message(cup, django_capture_on_commit_callbacks) -> None:
    forfeit(cup)
    forfeit(cup)
    with django_capture_on_commit_callbacks(execute=True):
        tournaments_tend_task()
    assert victim(cup).is_withdrawn
    assert due_notice_emails_send() == 1


def test_a_forfeit_whose_message_was_lost_counts_before_the_next_round_is_drawn(
    django_capture_on_commit_callbacks,
) -> None:
    cup = TournamentFactory(entries=3, format="swiss", rounds=3)
    EntryFactory(tournament=cup, owner=UserFactory(username="ada", email="ada@example.org"))
    services.tournament_start(tournament=cup)
    for number in (1, 2):
        forfeited = forfeit(cup)
        (other,) = Match.objects.filter(fixture__round__tournament=cup, state=MatchState.QUEUED)
        Match.objects.filter(pk=forfeited.pk).update(finished_at=timezone.now() - RECENT * 2)
        finish_match(other, [1.0, 0.0])
        assert cup.rounds.count() == number
        tell(other, django_capture_on_commit_callbacks)
    assert victim(cup).is_withdrawn
    drawn = Seat.objects.filter(match__fixture__round__tournament=cup, match__fixture__round__number=3)
    assert drawn.exists()
    assert not drawn.filter(version=victim(cup).version_id).exists()


def test_mail_that_cannot_be_sent_holds_up_nothing_and_is_sent_later(
    cup, monkeypatch, django_capture_on_commit_callbacks
) -> None:
    def refuse(*args, **kwargs):
        raise MailAway("no mail server here")

    for _ in range(2):
        last = forfeit(cup)
    tell(last, django_capture_on_commit_callbacks)
    with monkeypatch.context() as patched:
        patched.setattr("django.core.mail.EmailMultiAlternatives.send", refuse)
        assert due_notice_emails_send() == 0
    assert victim(cup).is_withdrawn
    Notice.objects.update(email_claimed_until=timezone.now())
    assert due_notice_emails_send() == 1


def test_an_author_without_an_address_reads_it_on_the_pages_alone(cup, django_capture_on_commit_callbacks) -> None:
    owner = victim(cup).bot.owner
    owner.email = ""
    owner.save()
    for _ in range(2):
        last = forfeit(cup)
    tell(last, django_capture_on_commit_callbacks)
    assert victim(cup).is_withdrawn
    assert due_notice_emails_send() == 0
    assert Notice.objects.get(person=owner, kind=WITHDRAWN).in_inbox


def test_matches_it_was_barred_from_are_not_counted_against_it_again(cup, django_capture_on_commit_callbacks) -> None:
    for _ in range(2):
        last = forfeit(cup)
    tell(last, django_capture_on_commit_callbacks)
    rule(cup, "reinstate", entry=victim(cup))
    seats = Seat.objects.filter(version=victim(cup).version_id, match__state=MatchState.QUEUED)
    seats.update(has_forfeited=True)  # as it was barred before
    last = forfeit(cup, Verdict.FORFEITED)
    tell(last, django_capture_on_commit_callbacks)
    assert not victim(cup).is_withdrawn
    Fault.objects.filter(verdict=Verdict.FORFEITED).update(verdict=Verdict.CRASHED)  # had it been a third of its own
    tell(last, django_capture_on_commit_callbacks)
    assert (victim(cup).is_withdrawn, victim(cup).forfeits) == (True, 3)


def test_what_was_ruled_void_or_replaced_is_not_counted_against_it(cup, django_capture_on_commit_callbacks) -> None:
    forfeited = [forfeit(cup) for _ in range(2)]
    of_fixture = cup.fixtures.select_related("round__stage", "round__tournament", "match")
    one, other = (of_fixture.get(match=match) for match in forfeited)
    entry_of = dict(cup.entries.values_list("version", "pk"))
    rule(cup, "void", fixture=one)
    tell(forfeited[0], django_capture_on_commit_callbacks)
    assert not victim(cup).is_withdrawn
    take_back(cup)
    rule(cup, "replace", fixture=other, scores={entry_of[seat.version_id]: 1.0 for seat in other.match.seats.all()})
    tell(forfeited[1], django_capture_on_commit_callbacks)
    assert not victim(cup).is_withdrawn


def test_only_a_ruling_takes_it_back_in_and_what_has_not_begun_is_its_own_again(
    cup, django_capture_on_commit_callbacks
) -> None:
    for _ in range(2):
        last = forfeit(cup)
    tell(last, django_capture_on_commit_callbacks)
    seats = Seat.objects.filter(version=victim(cup).version_id, match__state=MatchState.QUEUED)
    assert set(seats.values_list("has_forfeited", flat=True)) == {True}
    ruling = rule(cup, "reinstate", entry=victim(cup))
    assert ruling_sentence(ruling) == "No longer withdrawn by the rules."
    assert (victim(cup).is_withdrawn, victim(cup).withdrawn_because) == (False, "")
    assert set(seats.values_list("has_forfeited", flat=True)) == {False}


def test_in_a_swiss_its_author_does_not_bring_it_back(django_capture_on_commit_callbacks) -> None:
    entry = EntryFactory(tournament=TournamentFactory(entries=3, format="swiss", rounds=5), owner=UserFactory())
    cup = services.tournament_start(tournament=entry.tournament)
    Entry.objects.filter(pk=entry.pk).update(is_withdrawn=True, withdrawn_because="forfeits", forfeits=2)
    with pytest.raises(EntryRefused) as refused:
        services.entry_create(tournament=cup, bot=entry.bot, by=entry.bot.owner)
    assert refused.value.code == "shut_out"


def test_the_author_alone_is_told_on_the_pages(cup, django_capture_on_commit_callbacks) -> None:
    for _ in range(2):
        last = forfeit(cup)
    tell(last, django_capture_on_commit_callbacks)
    out = victim(cup)
    addresses = {
        reverse(
            "tournaments:detail", args=[cup.slug]
        ): f"Your bot {out.bot.name} was withdrawn: it had forfeited 2 matches",
        reverse("bots:detail", args=[out.bot.slug]): "it had forfeited 2 matches by its faults",
    }
    for address, words in addresses.items():
        for reader in (None, UserFactory()):
            other = Client()
            if reader:
                other.force_login(reader)
            assert words not in other.get(address).content.decode()
        author = Client()
        author.force_login(out.bot.owner)
        response = author.get(address)
        assert words in response.content.decode()
        assert reverse("bots:failures", args=[out.bot.slug]) in response.content.decode()
        assert_clean_page(response)


def test_the_policy_is_announced_in_numbers(cup) -> None:
    text = Client().get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    assert "A bot with faults in more than 20&nbsp;% of a match's games, or in 3 in a row, forfeits the match" in (
        text.replace("&#x27;", "'")
    )
    assert "After 2 forfeited matches, it is withdrawn" in " ".join(text.split())
