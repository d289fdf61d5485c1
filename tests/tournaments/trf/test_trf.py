"""The report file: its columns as the handbook numbers them, and what another program reads from it."""

from datetime import date

import pytest

from tournaments.trf import (
    Colour,
    Player,
    RoundPlayed,
    TrfCell,
    TrfGame,
    TrfMark,
    TrfReport,
    trf_crosstable,
    trf_points,
    trf_text,
)

ROUNDS = [
    RoundPlayed((TrfGame((10, 30), (1, 0)), TrfGame((20, 40), (0.5, 0.5))), byes=(50,)),
    RoundPlayed((TrfGame((40, 10), (0, 1), forfeited=True), TrfGame((50, 20), (0, 1)))),  # 30 has left
    RoundPlayed((TrfGame((20, 10), (0, 0), forfeited=True),), byes=(40,)),
]
NAMES = {10: "Ada's bot", 20: "B" * 40, 30: "Ümläut\r\n001 hack", 40: "D", 50: "E"}


def report():
    rows = trf_crosstable(list(NAMES), ROUNDS)
    players = tuple(
        Player(number, NAMES[entrant], trf_points(cells), 6 - number, cells)
        for number, (entrant, cells) in enumerate(rows.items(), start=1)
    )
    return TrfReport("Cup of\nbirds", players, 5, "Swiss", date(2026, 11, 21), date(2026, 11, 22))


def test_rows_say_what_each_did_in_each_round():
    rows = trf_crosstable(list(NAMES), ROUNDS)
    assert rows[10] == (
        TrfCell(TrfMark.WIN, 3, Colour.WHITE),
        TrfCell(TrfMark.FORFEIT_WIN, 4, Colour.BLACK),
        TrfCell(TrfMark.FORFEIT_LOSS, 2, Colour.BLACK),
    )  # fmt: skip
    assert rows[30] == (TrfCell(TrfMark.LOSS, 1, Colour.BLACK), TrfCell(TrfMark.ABSENT), TrfCell(TrfMark.ABSENT))
    assert [trf_points(rows[entrant]) for entrant in NAMES] == [2, 1.5, 0, 1.5, 1]


def test_columns_are_those_of_the_handbook():
    lines = trf_text(report()).split("\r\n")
    row = next(line for line in lines if line.startswith("001    2"))
    column = lambda first, last: row[first - 1 : last]  # noqa: E731  the handbook counts from 1
    assert column(1, 3) == "001"
    assert column(5, 8) == "   2"
    assert column(15, 47) == "B" * 33
    assert column(48, 80).strip() == ""
    assert column(81, 84) == " 1.5"
    assert column(86, 89) == "   4"
    assert (column(92, 95), column(97, 97), column(99, 99)) == ("   4", "w", "=")
    assert (column(102, 105), column(107, 107), column(109, 109)) == ("   5", "b", "1")
    assert (column(112, 115), column(117, 117), column(119, 119)) == ("   1", "w", "-")


def test_a_name_cannot_add_a_line():
    lines = trf_text(report()).split("\r\n")
    assert sum(line.startswith("001") for line in lines) == 5
    assert "012 Cup of birds" in lines
    assert lines[-1] == ""


def test_numbers_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="four characters"):
        trf_text(TrfReport("x", (Player(1, "a", 1000, 1, ()),), 1))


def test_another_program_reads_what_was_written(tmp_path):
    trf = pytest.importorskip("py4swiss.trf", reason="no wheel for this machine")
    file = tmp_path / "cup.trf"
    file.write_bytes(trf_text(report()).encode())
    read = trf.TrfParser.parse(file, strict=True)
    assert read.tournament_section.tournament_name == "Cup of birds"
    assert read.tournament_section.date_of_start == "2026/11/21"
    assert read.x_section.number_of_rounds == 5
    for ours, theirs in zip(report().players, read.player_sections, strict=True):
        assert (theirs.starting_number, theirs.rank) == (ours.number, ours.rank)
        assert theirs.points_times_ten == 10 * ours.points
        cells = [(cell.opponent, cell.colour.value, cell.mark.value) for cell in ours.cells]
        assert [(one.id, one.color.value, one.result.value) for one in theirs.results] == cells
