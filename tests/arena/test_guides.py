"""The guides of the repository are pages of the handbook, with links that lead on, and are found by its search."""

import re
from pathlib import Path
from urllib.parse import urljoin

import pytest
from bs4 import BeautifulSoup
from django.test import Client
from django.urls import reverse

from arena.site.guides import PAGES, PARTS, UnknownGuide, guide_of, guides_listed, guides_shown

pytestmark = pytest.mark.django_db


def main_of(client: Client, address: str) -> BeautifulSoup:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return BeautifulSoup(answer.content.decode(), "html.parser").select_one("main")  # type: ignore[return-value]


def test_the_handbook_lists_every_guide_and_each_is_a_page_whose_links_lead_somewhere(client: Client) -> None:
    listed = {guide.path for group in guides_listed() for guide in group.guides}
    assert listed >= {
        "how-to/spar",
        "how-to/research",
        "how-to/drill",
        "how-to/tune",
        "how-to/agents",
        "reference/peck",
    }
    index = main_of(client, reverse("docs-handbook"))
    assert listed == {guide.path for guide in guides_shown()} | set(PAGES)
    anchors: dict[str, set[str]] = {}
    links: set[tuple[str, str]] = set()
    for guide in guides_shown():
        assert index.select_one(f'a[href="{guide.address}"]').get_text() == guide.title  # type: ignore[union-attr]
        main = main_of(client, guide.address)
        assert main.select_one("h1").get_text() == guide_of(guide.path).title  # type: ignore[union-attr]
        anchors[guide.address] = {str(one["id"]) for one in main.select("[id]")}
        article = main.select_one("article")
        assert article is not None
        links |= {(guide.address, urljoin(guide.address, str(one["href"]))) for one in main.select("article a, .toc a")}
        assert not re.search(r"\.md\b|^/work", " ".join(str(one["href"]) for one in article.select("a")))
    inside = [(at, *link.partition("#")[::2]) for at, link in links if link.startswith("/")]
    assert len(inside) > 100
    unseen = {page for _at, page, _anchor in inside} - anchors.keys()
    assert {page: client.get(page).status_code for page in unseen} == dict.fromkeys(unseen, 200)
    broken = [(at, page, to) for at, page, to in inside if to and page in anchors and to not in anchors[page]]
    assert broken == []


def test_the_empty_corner_of_a_table_is_no_header(client: Client) -> None:
    html = client.get("/docs/explanation/performance/").content.decode()
    assert "<td></td>" in html
    assert "<th></th>" not in html


def test_a_description_that_is_wrapped_is_shown_to_its_end() -> None:
    listed = Path(__file__).parents[2].joinpath("docs/README.md").read_text(encoding="utf-8")
    wrapped = re.findall(r"^- \[.+\]\((.+)\.md\)[:,] .+\n  (.+)\.$", listed, re.MULTILINE)
    assert wrapped
    about = {guide.path: guide.about for group in guides_listed() for guide in group.guides}
    for path, end in wrapped:
        assert about[path].endswith(end.replace("`", "")), path


@pytest.mark.parametrize("path", ["how-to/nothing", "decisions/0001-lock-files-with-hashes", "how-to/../README"])
def test_only_listed_files_are_guides(client: Client, path: str) -> None:
    with pytest.raises(UnknownGuide):
        guide_of(path)
    assert client.get(f"/docs/{path}/").status_code == 404
    assert client.get(f"/docs/{path}.md").status_code == 404


def test_the_search_finds_the_sections_of_guides(client: Client) -> None:
    page = client.get(reverse("search") + "?q=luck+fewer+games+analyses&kind=docs").content.decode()
    assert reverse("docs-guide", args=["how-to/tune"]) in page
    page = client.get(reverse("search") + "?q=completion+fish&kind=docs", headers={"accept-language": "de"})
    assert reverse("docs-guide", args=["reference/peck"]) in page.content.decode()


@pytest.mark.parametrize("part", PARTS)
def test_the_address_of_a_part_leads_to_its_list(part: str, client: Client) -> None:
    answer = client.get(f"/docs/{part}/")
    assert (answer.status_code, answer["Location"]) == (302, f"{reverse('docs-handbook')}#{part}")
    assert main_of(client, reverse("docs-handbook")).select_one(f"#{part} a") is not None


def test_pages_name_no_records_of_decisions_which_they_do_not_show(client: Client) -> None:
    for path in ("how-to/tune", "how-to/release-sources", "how-to/datasets", "explanation/leagues"):
        text = main_of(client, reverse("docs-guide", args=[path])).get_text()
        assert not re.search(r"decision\s\d", text, re.IGNORECASE), path
