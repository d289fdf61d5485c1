"""Nothing follows from a note or a re-opening, so nothing of it is computed. Here it is, all the same."""

import pytest

from tests.tournaments.rulings.rule import preview, rule
from tests.tournaments.rulings.test_pages import finished
from tournaments import services
from tournaments.selectors.rulings.ruling_preview import Consequences

pytestmark = pytest.mark.django_db

FOLLOW = (
    *("undone", "restored", "again", "called_off", "released", "barred", "admitted", "redraw", "standing"),
    *("rewound", "revived", "pending", "to_play"),
)


@pytest.mark.parametrize("fields", [{}, {"format": "swiss", "rounds": 2}, {"format": "single_elimination"}])
@pytest.mark.parametrize("ruled", [False, True])
def test_nothing_follows_from_a_reopening(fields: dict, ruled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = finished(6, **fields)
    if ruled:
        rule(cup, "reopen")
        rule(cup, "disqualify", entry=cup.entries.first(), annul=False)
        services.tournament_resume(tournament=cup)
        services.tournament_advance(tournament_id=cup.pk)
        cup.refresh_from_db()
        assert cup.state == "finished"
    quick = preview(cup, "reopen")
    monkeypatch.setattr("tournaments.selectors.rulings.consequences.SILENT", ())
    whole = preview(cup, "reopen")
    assert whole.changes
    assert all(one.before == one.after for one in whole.changes)
    assert [name for name in FOLLOW if getattr(whole, name)] == []
    assert quick == Consequences(proposal=whole.proposal, basis=whole.basis)
