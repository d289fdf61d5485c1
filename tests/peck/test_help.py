"""What ``peck`` says of itself: every command in a group, with an example that its parser reads."""

import shlex

import pytest

from games.version import VERSION
from peck import USAGE
from peck.commands import EXAMPLES, GROUPS, _parser, commands_run


@pytest.mark.parametrize("words", [[], ["help"], ["--help"], ["-h"]])
def test_the_overview_lists_every_command_once(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        commands_run(words)
    assert ended.value.code == 0
    text = capsys.readouterr().out
    grouped = [name for names in GROUPS.values() for name in names]
    assert sorted(grouped) == sorted(EXAMPLES) == sorted(_parser()._subparsers._group_actions[0].choices)  # type: ignore
    assert all(f"\n  {name}  " in text.replace(" " * 3, "  ") for name in grouped)
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("command", EXAMPLES)
def test_a_commands_help_says_what_it_does_and_shows_a_call_that_it_takes(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (["help", command], [command, "--help"]):
        with pytest.raises(SystemExit):
            commands_run(words)
    text = capsys.readouterr().out
    assert text.count(f"example: peck {EXAMPLES[command]}") == 2
    assert "None" not in text
    call = EXAMPLES[command].partition(" >> ")[0]
    assert _parser().parse_args(shlex.split(call)).run


def test_the_version_is_the_sites(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        commands_run(["--version"])
    assert (ended.value.code, capsys.readouterr().out) == (0, f"peck {VERSION}\n")


@pytest.mark.parametrize(("typed", "error"), [("gat", "did you mean gate?"), ("zzz", "peck help lists them")])
def test_an_unknown_command_is_answered_with_the_closest(
    typed: str, error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert commands_run([typed]) == USAGE
    assert error in capsys.readouterr().err
