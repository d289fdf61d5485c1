"""The worked examples of the rules pages hold in the engine, and the pages show them all."""

import re
from typing import Any

import pytest
from django.test import Client

from arena.site.docs_context import docs_context_examples, docs_example_vectors
from games.catalogue import GAMES
from games.rule_vectors import VectorError, rule_vector_run

EXAMPLES = [(name, vector) for name in GAMES for vector in docs_example_vectors(name)]


@pytest.mark.parametrize(("name", "vector"), EXAMPLES, ids=[f"{name}-{vector['id']}" for name, vector in EXAMPLES])
def test_the_rules_page_matches_the_engine(name: str, vector: Any) -> None:
    assert vector["game"] == name
    rule_vector_run(vector)


def test_an_example_that_no_longer_holds_fails() -> None:
    _, vector = EXAMPLES[0]
    with pytest.raises(VectorError):
        rule_vector_run({**vector, "expect": {**vector["expect"], "total": 99}})


@pytest.mark.parametrize("name", sorted({name for name, _ in EXAMPLES}))
def test_a_page_shows_every_example_and_no_other(name: str) -> None:
    shown = set(re.findall(r"examples\.(\w+)", GAMES[name].file("rules.html").read_text(encoding="utf-8")))
    assert shown == set(docs_context_examples(name))


@pytest.mark.django_db
def test_an_example_is_written_with_its_dice_and_sums(client: Client) -> None:
    page = client.get("/docs/rules/heckmeck/").content.decode()
    assert 'role="img" aria-label="1 2 3 4 4 5 5 5"' in page
    text = re.sub(r'<span class="pieces"[^>]*aria-label="([^"]*)">.*?</span>', r"\1", page, flags=re.DOTALL)
    assert re.search(r"Set aside every 5\.\s+Sum: 15\.", text)
    assert "use golden_die" in page
    assert "&quot;specialists&quot;" in page
