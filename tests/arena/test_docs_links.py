"""Every relative link and anchor in the documents leads somewhere, and the index lists every document."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
DOCUMENTS = sorted([*ROOT.glob("*.md"), *DOCS.glob("**/*.md")])
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)|^\[[^\]]+\]:\s+(\S+)", re.MULTILINE)
FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)
# Pages of the code host, as seen from a file at the top: CHANGELOG.md links to the releases.
ELSEWHERE = ("http://", "https://", "mailto:", "../../compare/", "../../releases/")
# Written in the source: docs/… with a file's name.
IN_SOURCE = re.compile(r"\bdocs/[\w./-]+\.md\b")


def anchors(document: Path) -> set[str]:
    """Return the anchors that a document sets, and those of its headings as code hosts make them: the second of two
    equal ones ends in -1."""
    found: dict[str, int] = {}
    text = FENCE.sub("", document.read_text())
    names = set(re.findall(r'<a id="([\w-]+)"></a>', text))
    for heading in HEADING.findall(text):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        names.add(f"{name}-{found[name]}" if name in found else name)
        found[name] = found.get(name, 0) + 1
    return names


def links(document: Path) -> list[str]:
    text = re.sub(r"`[^`\n]*`", "", FENCE.sub("", document.read_text()))
    return [one for groups in LINK.findall(text) for one in groups if one and not one.startswith(ELSEWHERE)]


def leads_nowhere(document: Path, link: str) -> str:
    """Why a link is broken, or ""."""
    path, _, anchor = link.partition("#")
    target = (document.parent / path).resolve() if path else document
    if not target.exists():
        return f"{link}: no such file"
    if not target.is_relative_to(ROOT):
        return f"{link}: outside the repository"
    if anchor and (target.suffix != ".md" or anchor not in anchors(target)):
        return f"{link}: no such heading"
    return ""


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_and_anchor_leads_somewhere(document: Path) -> None:
    assert [why for link in links(document) if (why := leads_nowhere(document, link))] == []


def test_a_broken_link_and_a_broken_anchor_are_found(tmp_path: Path) -> None:
    page = DOCS / "README.md"
    assert leads_nowhere(page, "nowhere.md") == "nowhere.md: no such file"
    assert leads_nowhere(page, "#nothing-here") == "#nothing-here: no such heading"
    assert leads_nowhere(page, "reference/api.md#nothing-here") == "reference/api.md#nothing-here: no such heading"
    assert leads_nowhere(page, "reference/api.md#lists") == ""


@pytest.mark.parametrize("part", ["tutorial", "how-to", "reference", "explanation"])
def test_the_index_lists_every_document(part: str) -> None:
    listed = set(links(DOCS / "README.md"))
    assert {str(path.relative_to(DOCS)) for path in (DOCS / part).glob("*.md")} <= listed


def test_documents_lie_in_the_four_parts_or_among_the_decisions() -> None:
    parts = {"tutorial", "how-to", "reference", "explanation", "decisions"}
    assert [path.name for path in DOCS.glob("*.md")] == ["README.md"]
    assert {path.parent.name for path in DOCS.glob("*/**/*.md")} <= parts


def test_documents_that_the_source_names_are_there() -> None:
    sources = [
        path
        for room in ("platform", "bots", "sandbox", "tournaments", "tests", "benchmarks")
        for path in (ROOT / room).glob("**/*.py")
        if path != Path(__file__)
    ]
    named = {name for path in sources for name in IN_SOURCE.findall(path.read_text())}
    assert {name for name in named if not (ROOT / name).exists()} == set()


def test_the_tutorial_has_the_bot_of_the_site() -> None:
    sample = (ROOT / "platform/games/catalogue/pickomino/first_bot.txt").read_text()
    assert f"```python\n{sample}```" in (DOCS / "tutorial/first-bot.md").read_text()


def test_the_changelog_is_cut_by_releases_and_each_heading_comes_once() -> None:
    text = (ROOT / "CHANGELOG.md").read_text()
    releases = re.findall(r"^## \[(.+?)\](?: - (\d{4}-\d\d-\d\d))?$", text, re.MULTILINE)
    version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert version is not None
    assert releases[0] == ("Unreleased", "")
    assert releases[1][0] == version[1]
    assert all(date for _name, date in releases[1:])
    assert {name for name, _date in releases} == set(re.findall(r"^\[(.+?)\]: ", text, re.MULTILINE))
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        headings = re.findall(r"^### (.+)$", section, re.MULTILINE)
        assert len(headings) == len(set(headings))
        assert not re.search(r"^- .*\n(?:  .*\n)*\n(?=- )", section, re.MULTILINE), "a blank line between two entries"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_document_has_no_marks_of_a_conflict(document: Path) -> None:
    assert not re.search(r"^(<<<<<<<|>>>>>>>|=======$)", document.read_text(), re.MULTILINE)
