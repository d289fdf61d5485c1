"""Convert pages of this site to Markdown, without their layout."""

import re
from functools import cache
from typing import Final
from urllib.parse import urljoin

from bs4 import BeautifulSoup, Tag
from django.template.loader import render_to_string
from django.utils.translation import override
from markdownify import MarkdownConverter

from arena.site.docs_context import docs_rules_context
from games.ruleset import Ruleset

LAYOUT: Final = "nav, form, .crumbs, .page-head .cluster, .tabs, details pre"  # left out of the text
ALONE: Final = "site/rules/alone.html"
ENGLISH: Final = "en"


def markdown_text_of(page: str, address: str, part: str = "main") -> str:
    """Return the element ``part`` of an HTML page of this site as Markdown, with links resolved against ``address``."""
    soup = BeautifulSoup(page, "html.parser")
    found = soup.select_one(part)
    assert found is not None, part  # noqa: S101
    for one in found.select(LAYOUT):
        one.decompose()
    for one in found.select("[role=img][aria-label]"):  # a picture of a die, a card or a tile
        one.replace_with(str(one["aria-label"]))
    for one in found.select(".mono:not(:has(code)):not(:has(.mono))"):
        inner = soup.new_tag("code")
        inner.string = one.get_text(" ", strip=True)
        one.clear()
        one.append(inner)
    for one in found.select(".cluster > code"):
        one.insert_after(" ")
    for link in found.select("a[href]"):
        link["href"] = urljoin(address, str(link["href"]))
    text: str = MarkdownConverter(
        heading_style="atx",
        bullets="-",
        escape_asterisks=False,
        escape_underscores=False,
        code_language_callback=_language,
    ).convert_soup(found)
    lines = "\n".join(line.rstrip() for line in text.strip().splitlines())
    return re.sub(r"\n{3,}", "\n\n", lines) + "\n"


def _language(block: Tag) -> str:
    figure = block.find_parent("figure")
    caption = figure and figure.find("figcaption")
    return "python" if caption and caption.get_text().endswith(".py") else ""


@cache
def markdown_text_of_rules(ruleset: Ruleset) -> str:
    """Return the rules of a game for players, with its options, as Markdown."""
    with override(ENGLISH):
        page = render_to_string(f"{ruleset.name}/rules.html", docs_rules_context(ruleset) | {"layout": ALONE})
    return markdown_text_of(page, "", ".for-players .prose")
