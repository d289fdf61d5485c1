"""The docs as Markdown and ``/llms.txt``: what the pages say, in English, for programs."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from arena.site.guides import guides_shown
from arena.site.markdown_text import markdown_text_of, markdown_text_of_rules
from games.catalogue import GAMES

pytestmark = pytest.mark.django_db

LINK = re.compile(r"\]\((http://testserver[^)]*)\)|: (http://testserver\S*)$", re.MULTILINE)


def test_llms_txt_links_to_cacheable_docs_and_rules_as_markdown_in_english(client: Client) -> None:
    index = client.get("/llms.txt")
    text = index.content.decode()
    assert text.startswith("# Pecking Order\n\n> ")
    assert "&#" not in text
    found = [one or other for one, other in LINK.findall(text)]
    assert len(found) == 6 + 2 * len(GAMES) + len(guides_shown())
    for address in found:
        page = client.get(address.removeprefix("http://testserver"), headers={"Accept-Language": "de"})
        assert page.status_code == 200, address
        if not address.endswith(".md"):
            continue
        words = page.content.decode()
        assert page["Content-Type"] == "text/markdown; charset=utf-8"
        assert "public" in page["Cache-Control"]
        assert page["ETag"]
        assert words.startswith("# ")
        outside = re.sub(r"```.*?```|`[^`]*`", "", words, flags=re.DOTALL)
        assert not re.search(r"</?[a-z]+[ >]|&[a-z]+;| wird | der ", outside), address
        assert "](/" not in words


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_a_game_have_its_examples_options_and_keys(
    client: Client, game: str, django_assert_num_queries: Any
) -> None:
    ruleset = GAMES[game].current
    page = client.get(reverse("docs-rules-text", args=[game])).content.decode()
    markdown_text_of_rules.cache_clear()
    with django_assert_num_queries(0):  # the kit is made without a database
        prose = markdown_text_of_rules(ruleset)
    assert prose.strip() in page
    assert all(f"`{name}`" in prose for name in ruleset.options)
    assert all(f"| `{key}` |" in page for key in ruleset.view_schema["properties"])
    assert client.get(f"/docs/rules/{game}/1.md").status_code == 200
    assert client.get(f"/docs/rules/{game}/99.md").status_code == 404
    assert client.get(reverse("docs-rules-text", args=["chess"])).status_code == 404
    alternate = f'type="text/markdown" href="/docs/rules/{game}/{ruleset.version}.md"'
    assert alternate in client.get(reverse("docs-rules", args=[game])).content.decode()


def test_layout_is_left_out_pictures_become_words_and_links_whole() -> None:
    page = """<main><nav>here</nav><h1>A</h1><p>One <span class="mono">two</span>
      <span role="img" aria-label="W 5"><svg><path d=""/></svg></span> <a href="/b/">c</a></p>
      <details><summary>More</summary><pre>long</pre></details></main><footer>no</footer>"""
    assert markdown_text_of(page, "https://x.org/a.md") == "# A\n\nOne `two`\nW 5 [c](https://x.org/b/)\n\nMore\n"
