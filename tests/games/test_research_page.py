"""What a researcher reads, as far as it needs no other project: the rest is in tests/researchers."""

import re
from pathlib import Path

from games.catalogue import GAMES
from games.version import VERSION
from research.seeding import Seeds, seeding_game_seed
from tests.researchers.test_page import EXAMPLES, PAGE, as_in_a_checkout

ROOT = PAGE.parents[2]


def test_the_example_of_the_engine_runs() -> None:
    (example,) = [one for one in EXAMPLES if "NumberedGame(" in one]
    exec(compile(as_in_a_checkout(example), str(PAGE), "exec"), {})


def test_the_page_and_the_citation_name_this_version_and_count_the_tables() -> None:
    page, citation = PAGE.read_text(encoding="utf-8"), (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.+)$", citation, re.MULTILINE) == [VERSION]
    assert set(re.findall(r"\d+\.\d+\.\d+", page)) == {VERSION}
    tables = sum(len(game.current.seats) for game in GAMES.values())
    assert set(re.findall(r"(\d+)\s+tables", page)) == {str(tables)}


def test_seeds_follow_from_one_and_are_read_as_in_records() -> None:
    seeds, again = Seeds(), Seeds()
    assert seeds.next() != again.next()
    seeds.begin(7)
    again.begin(7)
    drawn = [seeds.next() for _ in range(3)]
    assert len({*drawn}) == 3
    assert drawn == [again.next() for _ in range(3)]
    assert seeding_game_seed(drawn[0].hex()) == seeding_game_seed(drawn[0]) == drawn[0]


def test_files_of_the_adapters_are_short() -> None:
    for name in ("pettingzoo", "openspiel", "gymnasium"):
        assert len(Path(ROOT / f"platform/research/{name}.py").read_text(encoding="utf-8").splitlines()) <= 150
