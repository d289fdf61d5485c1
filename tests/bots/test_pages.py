"""The pages of authors: their messages, and that forms keep their input."""

from hashlib import sha256
from typing import Any
from urllib.parse import quote

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from bots import checks, services, source_check, verdicts
from bots.models import Bot, BotVersion, VersionState
from bots.templatetags.bots import duration
from games.protocol import Verdict
from matches.models import Fault, Game, Match, Seat
from tests.arena.pages import assert_clean_page
from tests.bots.archives import packed
from tests.bots.factories import SOURCE, AuthorFactory, BotFactory, BotVersionFactory
from web.topics import topic_ticket

pytestmark = pytest.mark.django_db


def a_file(content: bytes = SOURCE, name: str = "bot.py") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def signed_in(client: Client, person: Any) -> Client:
    client.force_login(person)
    return client


def version_page(version: BotVersion) -> str:
    return reverse("bots:version", args=[version.bot.slug, version.number])


def played(*versions: BotVersion, scores: tuple[float, ...] = (2.0, 2.0)) -> Match:
    """A finished match of four games."""
    match = Match.objects.create(
        ruleset="pickomino/1", secret=b"s", state="finished", finished_at=timezone.now(), blocks=2
    )
    for index, (version, score) in enumerate(zip(versions, scores, strict=True)):
        Seat.objects.create(match=match, index=index, version=version, score=score, places=[1, 2, 1, 2])
    return match


def test_a_bot_and_its_first_file_are_made_in_one_go(client: Client) -> None:
    author = AuthorFactory.create()
    form = {"name": "Early Rooster", "game": "pickomino", "blurb": "Up before the worms", "file": a_file()}
    response = signed_in(client, author).post(reverse("bots:create"), form)
    version = BotVersion.objects.select_related("bot").get()
    assert response["Location"] == version_page(version)
    assert (version.bot.owner, version.bot.name, version.bot.blurb) == (author, "Early Rooster", "Up before the worms")


def test_on_a_busy_site_the_form_comes_back_and_says_when_to_send_it_again(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = BotFactory.create()
    signed_in(client, bot.owner)
    monkeypatch.setattr(source_check, "PATIENCE", 0.01)
    with source_check._turns.take(bot.owner_id):
        for page, words in (("create", {"name": "Rooster", "game": "pickomino"}), ("upload", {})):
            address = reverse(f"bots:{page}", args=[] if words else [bot.slug])
            response = client.post(address, {**words, "file": a_file()})
            assert (response.status_code, response["Retry-After"]) == (503, "10")
            assert "Upload again in 10 seconds." in response.content.decode()
    assert not BotVersion.objects.exists()


BAD_FILES = {
    "a syntax error": (a_file(b"def act(view):\n    return (\n"), "line 2"),
    "no act": (a_file(b"x = 1\n"), "neither a function act(view)"),
    "an empty file": (a_file(b""), "empty"),
    "rubbish": (a_file(b"\x00\xff\xfe" * 50), "not text in UTF-8"),
    "five megabytes": (a_file(b"#" * 5_000_000), "4883 KiB"),
    "not a zip": (a_file(b"hello", "bot.zip"), "not a zip archive"),
    "a bomb": (a_file(packed(("zeros", b"\0" * 50_000_000)), "bot.zip"), "unpack to more"),
    "a climbing name": (a_file(packed(("../x.py", b"")), "bot.zip"), "Names must be plain"),
    "an absolute name": (a_file(packed(("/etc/passwd", b"")), "bot.zip"), "Names must be plain"),
    "no bot.py": (a_file(packed(("a.py", b""), bot=False), "bot.zip"), "no bot.py at the root"),
    "another kind": (a_file(b"MZ", "bot.exe"), "Upload one .py file"),
    "nothing": (None, "This field is required"),
}


@pytest.mark.parametrize("bad", BAD_FILES)
def test_a_bad_file_is_named_beside_the_field_and_what_was_typed_stays(bad: str, client: Client) -> None:
    file, message = BAD_FILES[bad]
    form = {"name": "Early Rooster", "game": "pickomino", "blurb": "Up before the worms"}
    if file:
        file.seek(0)
    response = signed_in(client, AuthorFactory.create()).post(
        reverse("bots:create"), {**form, **({"file": file} if file else {})}
    )
    page = response.content.decode()
    assert response.status_code == 422
    assert message in page.replace("&#x27;", "'")
    assert 'value="Early Rooster"' in page
    assert 'value="Up before the worms"' in page
    assert 'aria-invalid="true"' in page
    assert not Bot.objects.exists()
    assert_clean_page(response)


@pytest.mark.parametrize("name", ["", " ", "x" * 41, "a\u202eb", "a\nb", "a\0b"])
def test_a_bot_needs_a_plain_name(name: str, client: Client) -> None:
    form = {"name": name, "game": "pickomino", "file": a_file()}
    response = signed_in(client, AuthorFactory.create()).post(reverse("bots:create"), form)
    assert response.status_code == 422
    assert not Bot.objects.exists()


def test_a_game_that_is_not_played_is_refused(client: Client) -> None:
    form = {"name": "Rooster", "game": "poker", "file": a_file()}
    response = signed_in(client, AuthorFactory.create()).post(reverse("bots:create"), form)
    assert response.status_code == 422
    assert not Bot.objects.exists()


def test_a_taken_name_is_reported_beside_the_field(client: Client) -> None:
    bot = BotFactory.create(name="Rooster")
    form = {"name": "Rooster", "game": "pickomino", "file": a_file()}
    response = signed_in(client, bot.owner).post(reverse("bots:create"), form)
    assert response.status_code == 422
    page = response.content.decode()
    assert "You already have a bot named Rooster" in page
    assert "Choose the file again." in page
    other = BotFactory.create(owner=bot.owner)
    response = client.post(reverse("bots:edit", args=[other.slug]), {"name": "Rooster"})
    assert "You already have a bot named Rooster" in response.content.decode()


def test_a_refusal_of_what_was_written_in_the_playground_leads_back_to_it(client: Client) -> None:
    bot = BotFactory.create(name="Rooster")
    signed_in(client, bot.owner)
    written = {"name": "Rooster", "game": "pickomino", "written_in": "playground"}
    for page, args, content, way, name in (
        ("create", [], SOURCE, reverse("playground-save"), "Rooster"),
        ("create", [], b"def act(view)\n", reverse("playground"), "Rooster"),
        ("upload", [bot.slug], b"def act(view)\n", reverse("playground"), ""),
    ):
        address = reverse(f"bots:{page}", args=args)
        link = f'href="{way}?game=pickomino&amp;name={name}&amp;message="'
        response = client.post(address, {**written, "file": a_file(content)})
        assert response.status_code == 422
        assert link in response.content.decode()
        assert link not in client.post(address, {**written, "written_in": "", "file": a_file(content)}).content.decode()


def test_the_same_file_again_says_which_version_it_is(client: Client) -> None:
    bot = BotFactory.create()
    version, _new = services.version_upload(bot=bot, filename="bot.py", data=SOURCE)
    response = signed_in(client, bot.owner).post(
        reverse("bots:upload", args=[bot.slug]), {"file": a_file()}, follow=True
    )
    assert response.redirect_chain[-1][0] == version_page(version)
    assert "This is version 1 already." in response.content.decode()


def test_an_earlier_file_is_confirmed_by_a_button(client: Client) -> None:
    old = BotVersionFactory.create(sha256=sha256(SOURCE).hexdigest())
    BotVersionFactory.create_batch(2, bot=old.bot)
    upload = reverse("bots:upload", args=[old.bot.slug])
    page = signed_in(client, old.bot.owner).post(upload, {"file": a_file()}, follow=True).content.decode()
    assert "This file is already version 1; version 3 is current: make version 1 current?" in page
    assert "Make version 1 current" in page
    assert Bot.objects.get().current != old
    client.post(reverse("bots:make-current", args=[old.bot.slug, 1]))
    assert Bot.objects.get().current == old
    page = client.post(upload, {"file": a_file()}, follow=True).content.decode()
    assert "This is version 1 already." in page
    assert " current?" not in page


def test_an_old_version_becomes_current_with_one_click(client: Client) -> None:
    old = BotVersionFactory.create()
    BotVersionFactory.create(bot=old.bot)
    url = reverse("bots:make-current", args=[old.bot.slug, old.number])
    assert (
        f'action="{url}"'
        in signed_in(client, old.bot.owner).get(reverse("bots:detail", args=[old.bot.slug])).content.decode()
    )
    client.post(url)
    assert Bot.objects.get().current == old


def test_a_refused_version_cannot_be_made_current_by_a_made_up_address(client: Client) -> None:
    refused = BotVersionFactory.create(refused=True)
    url = reverse("bots:make-current", args=[refused.bot.slug, refused.number])
    response = signed_in(client, refused.bot.owner).post(url, follow=True)
    assert "Only an accepted version" in response.content.decode()
    assert Bot.objects.get().current is None


def test_a_waiting_version_is_followed_until_there_is_a_verdict(client: Client) -> None:
    version = BotVersionFactory.create(open=True)
    page = client.get(version_page(version)).content.decode()
    url = reverse("bots:verdict", args=[version.bot.slug, version.number])
    assert f'topic="{topic_ticket(f"version.{version.pk}")}" src="{url}"' in page
    assert 'data-state="queued"' in client.get(url).content.decode()
    attempt = checks.version_check_begin(version_id=version.pk) or 0
    assert 'data-state="checking"' in client.get(url).content.decode()
    checks.version_check_accept(version_id=version.pk, attempt=attempt, report={})
    assert "This version passed its check" in client.get(url).content.decode()
    assert "<live-cells" not in client.get(version_page(version)).content.decode()


def test_an_accepted_version_shows_its_author_what_it_used(client: Client) -> None:
    report = {"games": 6, "slowest_action": 0.0356, "cpu": 1.5}
    version = BotVersionFactory.create(report=report)
    page = signed_in(client, version.bot.owner).get(version_page(version)).content.decode()
    assert "36\u00a0ms" in page
    assert "1.00\u00a0s" in page
    assert "1.50\u00a0s" in page
    assert "36\u00a0ms" not in Client().get(version_page(version)).content.decode()


def test_a_refused_version_shows_its_author_all_there_is(client: Client) -> None:
    report = {
        "verdict": "cpu_time", "stage": "house", "exception": "Slow<b>", "detail": "Traceback <script>", "line": 2,
        "view": {"grill": [21, 22], "you": 0}, "output": "I <i>print</i>", "cpu": 1.25, "wall": 1.5, "limit": 1.0,
    }  # fmt: skip
    version = BotVersionFactory.create(refused=True, report=report)
    response = signed_in(client, version.bot.owner).get(version_page(version))
    page = response.content.decode()
    for text in (
        "The bot used more processor time than it may.",
        "while it played against a house bot",
        "Slow&lt;b&gt;",
        "Traceback &lt;script&gt;",
        "I &lt;i&gt;print&lt;/i&gt;",
        "bot.py, line 2",
        "return view[&quot;actions&quot;][0]",
        "&quot;grill&quot;: [21, 22]",
        "Time used: 1.25\u00a0s of 1.00\u00a0s",
    ):
        assert text in page
    assert_clean_page(response)


@pytest.mark.parametrize("report", [{}, {"verdict": "no such"}, {"verdict": None, "line": "x", "view": [], "cpu": "y"}])
def test_a_thin_report_still_makes_a_page(report: dict[str, Any], client: Client) -> None:
    version = BotVersionFactory.create(refused=True, report=report)
    response = signed_in(client, version.bot.owner).get(version_page(version))
    assert "The bot failed its check." in response.content.decode()


def test_every_verdict_has_its_words() -> None:
    assert set(verdicts.EXPLANATIONS) == set(Verdict)
    assert len({str(words.title) for words in verdicts.EXPLANATIONS.values()}) == len(Verdict)


def test_an_author_sees_what_has_become_of_the_newest_upload(client: Client) -> None:
    accepted = BotVersionFactory.create()
    signed_in(client, accepted.bot.owner)
    assert b">refused<" not in client.get(reverse("bots:list")).content
    BotVersionFactory.create(bot=accepted.bot, refused=True)
    assert b">refused<" in client.get(reverse("bots:list")).content


def test_an_accepted_version_leads_its_author_to_where_it_can_play(client: Client) -> None:
    version = BotVersionFactory.create()
    leagues = f'href="{reverse("bots:detail", args=[version.bot.slug])}#leagues"'
    assert leagues not in client.get(version_page(version)).content.decode()
    assert leagues in signed_in(client, version.bot.owner).get(version_page(version)).content.decode()


def test_the_source_is_sent_as_a_file_and_nothing_else(client: Client) -> None:
    version = BotVersionFactory.create(source=b"def act(view): '<script>'\n", filename='evil"\r\nx.py')
    response = signed_in(client, version.bot.owner).get(reverse("bots:source", args=[version.bot.slug, version.number]))
    assert response.content == version.package.content
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response["Content-Disposition"] == f'attachment; filename="{version.bot.slug}-v1.py"'
    assert response["X-Content-Type-Options"] == "nosniff"


def test_the_bot_page_lists_matches_and_keeps_its_filter_in_the_address(client: Client) -> None:
    old = BotVersionFactory.create()
    new = BotVersionFactory.create(bot=old.bot)
    owl, crow = BotVersionFactory.create(bot__name="Wise Owl"), BotVersionFactory.create(bot__name="Fat Crow")
    first = played(old, owl, scores=(3.5, 0.5))
    second = played(crow, new)
    url = reverse("bots:detail", args=[old.bot.slug])
    assert [row.match for row in client.get(url).context["rows"]] == [second.pk, first.pk]
    (row,) = client.get(url, {"opponent": owl.bot.slug}).context["rows"]
    assert (row.match, row.version, row.seat, row.share, row.mean_place) == (first.pk, 1, 0, 0.875, 1.5)
    assert [(rival.name, rival.seat) for rival in row.opponents] == [("Wise Owl", 1)]
    assert [row.match for row in client.get(url, {"version": 2}).context["rows"]] == [second.pk]
    assert client.get(url, {"version": 2, "opponent": owl.bot.slug}).context["rows"] == []
    assert [version.matches for version in client.get(url).context["versions"]] == [1, 1]


@pytest.mark.parametrize("query", [{"version": "x"}, {"opponent": "'"}, {"page": "-1"}, {"version": "9" * 400}])
def test_a_made_up_filter_lists_everything(query: dict[str, str], client: Client) -> None:
    version = BotVersionFactory.create()
    played(version, BotVersionFactory.create())
    response = client.get(reverse("bots:detail", args=[version.bot.slug]), query)
    assert len(response.context["rows"]) == 1


def test_the_author_reads_the_faults_of_matches(client: Client) -> None:
    version = BotVersionFactory.create(source=b"def act(view):\n    raise KeyError\n")
    rival = BotVersionFactory.create()
    match = played(version, rival)
    game = Game.objects.create(
        match=match, attempt=1, index=2, record=b"", points=[0, 0], places=[1, 1], reason="grill_empty"
    )
    for seat in match.seats.all():
        Fault.objects.create(
            game=game,
            seat=seat,
            verdict="crashed",
            action_index=7,
            exception=f"KeyError {seat.index}",
            line=2,
            view={"you": seat.index},
        )
    signed_in(client, version.bot.owner)
    page = client.get(reverse("bots:failures", args=[version.bot.slug])).content.decode()
    assert "KeyError 0" in page
    assert "KeyError 1" not in page
    assert "raise KeyError" in page
    assert f"match #{match.pk}, game 3" in page
    assert "peck.pyz replay view.json bot.py" in page
    assert quote('"you": 0') in page
    assert quote('"you": 1') not in page


def test_pages_are_clean_for_every_state(client: Client) -> None:
    bot = BotVersionFactory.create(report={"games": 2, "cpu": 1.0, "slowest_action": 0.1}).bot
    BotVersionFactory.create(bot=bot)
    BotVersionFactory.create(bot=bot, refused=True, report={"verdict": "crashed", "line": 1, "output": "x"})
    BotVersionFactory.create(bot=bot, open=True)
    BotVersionFactory.create(bot=bot, state=VersionState.CHECKING, checked_at=None)
    signed_in(client, bot.owner)
    names = [reverse(f"bots:{name}", args=[bot.slug]) for name in ("detail", "edit", "upload", "failures")]
    versions = [version_page(version) for version in bot.versions.all()]
    for url in [reverse("bots:list"), reverse("bots:create"), *names, *versions]:
        assert_clean_page(client.get(url))


def test_a_version_that_is_not_there_is_404(client: Client) -> None:
    bot = BotFactory.create()
    for number in (0, 1, 99999999999999999999):
        assert client.get(f"/bots/{bot.slug}/versions/{number}/").status_code == 404


@pytest.mark.parametrize(
    ("seconds", "english", "german"),
    [
        (None, "\N{EN DASH}", "\N{EN DASH}"),
        (0.00036, "0.4\u00a0ms", "0,4\u00a0ms"),
        (0.0356, "36\u00a0ms", "36\u00a0ms"),
        (1.239, "1.24\u00a0s", "1,24\u00a0s"),
    ],
)
def test_times_are_rounded_and_written_as_the_reader_writes_them(
    seconds: float | None, english: str, german: str
) -> None:
    assert duration(seconds) == english
    with translation.override("de"):
        assert duration(seconds) == german


def test_the_head_of_the_page_holds_what_its_reader_may_do(client: Client) -> None:
    bot = BotVersionFactory.create().bot
    bot.current = bot.versions.get()
    bot.save(update_fields=["current"])
    pages = [reverse(f"bots:{name}", args=[bot.slug]) for name in ("upload", "spar", "failures", "output", "edit")]

    def offered(person: Any) -> list[str]:
        html = (signed_in(Client(), person) if person else client).get(reverse("bots:detail", args=[bot.slug])).content
        head = html.decode().partition('<header class="page-head">')[2].partition("</header>")[0]
        return [page for page in pages if f'href="{page}"' in head]

    assert offered(bot.owner) == pages
    assert offered(None) == offered(AuthorFactory.create()) == []
    assert offered(AuthorFactory.create(is_staff=True)) == [reverse("bots:output", args=[bot.slug])]
