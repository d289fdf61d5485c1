"""The source of a version and what changed between two, on pages: for whom, of what, and with hostile bytes."""

from time import process_time
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from bots.models import Bot, VersionState
from bots.packages import version_packages_drop
from bots.source_listing import (
    COMPARED_MOST,
    LINES_MOST,
    ROWS_MOST,
    WIDTH_MOST,
    source_file_listed,
    source_files_changed,
)
from tests.arena.pages import assert_clean_page
from tests.bots.archives import packed
from tests.bots.factories import AuthorFactory, BotFactory, BotVersionFactory
from tests.teams.factories import team_of

pytestmark = pytest.mark.django_db

OLD = b"LIMIT = 21\n\n\ndef act(view):\n    return view['actions'][0]\n"
NEW = OLD.replace(b"21", b"24 if 1 < 2 else 0")


def two_versions(owner: Any = None) -> Bot:
    bot = BotFactory.create(owner=owner or AuthorFactory.create())
    for source in (OLD, NEW):
        BotVersionFactory.create(bot=bot, package=packed(("bot.py", source), ("tables/a & b.json", b"[1]"), bot=False))
    bot.versions.update(filename="bot.zip")
    return bot


def page(client: Client, bot: Bot, name: str, number: int = 2, **query: str) -> Any:
    return client.get(reverse(f"bots:{name}", args=[bot.slug, number]), query)


def test_the_source_is_coloured_and_numbered(client: Client) -> None:
    bot = two_versions()
    client.force_login(bot.owner)
    response = page(client, bot, "code")
    text = response.content.decode()
    assert '<span class="hl-k">def</span>' in text
    assert 'id="L4"' in text
    assert '1</span> <span class="hl-o">&lt;</span>' in text
    assert "no-store" in response["Cache-Control"]
    assert_clean_page(response)
    other = page(client, bot, "code", file="tables/a & b.json")
    assert "[1]" in other.content.decode()
    for path in ("../bot.py", "/etc/passwd", "\0", "tables"):
        assert page(client, bot, "code", file=path).status_code == 404


def test_changes_are_shown_from_any_other_version(client: Client) -> None:
    bot = two_versions()
    client.force_login(bot.owner)
    response = page(client, bot, "changes")
    text = response.content.decode()
    assert "LIMIT = 21" in text
    assert "LIMIT = 24 if 1 &lt; 2 else 0" in text
    assert "a &amp; b.json" not in text, "it is the same in both"
    assert_clean_page(response)
    assert "LIMIT = 21" in page(client, bot, "changes", since="1").content.decode()
    assert page(client, bot, "changes", 1, since="2").status_code == 200
    for since in ("2", "9", "-1", "x", "9" * 5000, "²"):
        expected = 404 if since in ("2", "9") else 200
        assert page(client, bot, "changes", since=since).status_code == expected, since


def test_changes_are_shown_from_the_last_version_that_was_accepted(client: Client) -> None:
    bot = two_versions()
    BotVersionFactory.create(bot=bot, filename="bot.zip", package=packed(("bot.py", NEW), bot=False))
    client.force_login(bot.owner)
    assert page(client, bot, "changes", 3).context["other"].number == 2
    bot.versions.filter(number=2).update(state=VersionState.REFUSED)
    response = page(client, bot, "changes", 3)
    assert response.context["other"].number == 1
    text = " ".join(response.content.decode().split())
    assert "from v1 to v3" in text
    assert '<option value="2">v2 (refused)</option>' in text
    assert '<option value="1" selected>v1</option>' in text
    assert page(client, bot, "changes", 3, since="2").context["other"].number == 2
    bot.versions.filter(number=1).update(state=VersionState.REFUSED)
    assert page(client, bot, "changes", 3).context["other"].number == 2


@pytest.mark.parametrize("name", ["code", "changes"])
def test_they_are_for_the_author_and_the_team(name: str, client: Client) -> None:
    member = AuthorFactory.create()
    alone, of_team = two_versions(), two_versions(team_of(member).account)
    staff = AuthorFactory.create(is_staff=True, is_superuser=True)
    organiser = AuthorFactory.create(is_organiser=True)
    for bot, person, status in [
        (alone, None, 302),
        (alone, alone.owner, 200),
        (of_team, member, 200),
        *((one, outsider, 404) for one in (alone, of_team) for outsider in (staff, organiser, AuthorFactory.create())),
        (of_team, alone.owner, 404),
    ]:
        client.logout()
        if person:
            client.force_login(person)
        response = page(client, bot, name)
        assert response.status_code == status
        assert (b"LIMIT" in response.content) == (status == 200)
        assert page(client, bot, name, 7).status_code == (302 if person is None else 404)


def test_dropped_files_are_not_offered(client: Client) -> None:
    bot = two_versions()
    client.force_login(bot.owner)
    version_packages_drop(bot.versions.filter(number=1))
    assert page(client, bot, "code", 1).status_code == 404
    assert page(client, bot, "changes").status_code == 404
    assert reverse("bots:changes", args=[bot.slug, 2]) not in page(client, bot, "code").content.decode()


HOSTILE = {
    "many lines": b"x = 1\n" * 200_000,
    "one line": b"x" * 1_000_000,
    "brackets": b"(" * 1_000_000,
    "dense": (b"a." * 200 + b"\n") * 2500,
    "open text": b'"""' + b"x\n" * 4000,
    "bytes": bytes(range(256)),
    "a null": b"a\0b",
    "nothing": b"",
    "signs": "x = '\u202e\u2066\u200b' # \u05d0 \u4e2d \u0627 \u0939 \U0001f413\r\n\x1b[31m\x0c\u2028".encode(),
    "blanks": (b" " * 349 + b"\n") * 3000,
    "blank signs": "x\u3164 = '\u115f\u2800\ufe0f'\n".encode(),
    "tags": b"</code><script>alert(1)</script>\n" * 100,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_costs_little_and_shows_what_is_in_it(name: str) -> None:
    began = process_time()
    listed = source_file_listed("bot.py", HOSTILE[name])
    changed = [*source_files_changed({"bot.py": OLD}, {"bot.py": HOSTILE[name]})]
    assert process_time() - began < 5
    text = "".join((*listed.lines, *(row.line for file in changed for row in file.rows or ())))
    assert len(listed.lines) <= LINES_MOST
    assert len(text) < 4_000_000
    assert listed.is_text == (name not in ("bytes", "a null"))
    assert listed.is_cut == (name in ("many lines", "one line", "brackets", "open text"))
    assert "<script" not in text
    assert not {"\u202e", "\u2066", "\u200b", "\u2028", "\x1b", "\x0c", "\r", "\u3164", "\u115f", "\u2800"} & set(text)
    if name == "signs":
        assert '<span class="unseen">U+202E</span>' in text
        assert "\U0001f413" in text


def test_a_change_in_the_cut_part_of_a_line_is_reported_and_a_long_one_shows_both_sides() -> None:
    [file] = source_files_changed({"bot.py": b"x" * 600 + b"a"}, {"bot.py": b"x" * 600 + b"b"})
    assert file.is_cut
    [file] = source_files_changed({"bot.py": b"old\n" * 5000}, {"bot.py": b"new\n" * 5000})
    kinds = [row.kind for row in file.rows or ()]
    assert len(kinds) <= ROWS_MOST
    assert min(kinds.count("removed"), kinds.count("added")) >= ROWS_MOST // 2 - 1


def test_comparing_has_a_bound_however_the_lines_repeat() -> None:
    half = COMPARED_MOST // 2 - 1
    pairs = {
        "every other": (
            [f"{n}" if n % 2 else "x" for n in range(half)],
            [f"y{n}" if n % 2 else "x" for n in range(half)],
        ),
        "of few": ([f"{n % 101}" for n in range(half)], [f"{n % 7}" for n in range(half)]),
        "more than are compared": ([f"{n}" for n in range(9000)], [f"{n}" for n in range(9000, 0, -1)]),
    }
    for name, (old, new) in pairs.items():
        began = process_time()
        [file] = source_files_changed({"bot.py": "\n".join(old).encode()}, {"bot.py": "\n".join(new).encode()})
        assert process_time() - began < 5, name
        assert file.rows
        assert len(file.rows) <= ROWS_MOST
    many = {f"{n}.txt": b"x\n" * 5000 for n in range(200)}
    assert sum(len(file.rows or ()) for file in source_files_changed({}, many)) == ROWS_MOST


def test_an_edit_in_a_long_file_is_found_with_the_lines_around_it() -> None:
    old = [f"line {n}" for n in range(50_000)]
    new = [*old[:30_000], "new", *old[30_001:]]
    [file] = source_files_changed({"bot.py": "\n".join(old).encode()}, {"bot.py": "\n".join(new).encode()})
    shown = [(row.kind, row.before, row.after, row.line[:WIDTH_MOST]) for row in file.rows or ()]
    assert shown[0] == ("gap", None, None, "")
    assert shown[4:6] == [("removed", 30_001, None, "line 30000"), ("added", None, 30_001, "new")]
    assert [kind for kind, *_ in shown] == [
        "gap",
        "same",
        "same",
        "same",
        "removed",
        "added",
        "same",
        "same",
        "same",
        "gap",
    ]
    [ends] = source_files_changed({"bot.py": b"a\nb\n"}, {"bot.py": b"a\r\nb"})
    assert (ends.rows, ends.is_cut) == ((), False)
    kinds = [(file.path, file.kind) for file in source_files_changed({"a": b"1"}, {"bot.py": b"2"})]
    assert kinds == [("bot.py", "added"), ("a", "removed")]
