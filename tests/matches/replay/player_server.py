"""The player alone: pages with canned matches, served with our files under our policy, without a database.

Match 7 is of two games of Pickomino, one with a fault; ``/matches/7/opening/`` plays as soon as it is opened,
``/matches/7/live/`` is its page while it is played, with a ticket, ``/matches/7/long/`` one of bots with the longest
names, ``/matches/7/luck/`` one with its analysis, ``/matches/7/loop/`` one in a frame that begins again.
``/boards/<ruleset>/`` is a match of one game of any ruleset, ``/boards/<ruleset>/full/`` one of up to five bots with
names of 24 characters, ``/boards/<ruleset>/luck/`` the first with its analysis,
``/boards/<ruleset>/notes/`` with bots that mark their actions and the place of the second player.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from pathlib import Path

from games.catalogue import catalogue_stand_in, current
from games.record import Record
from games.state import CHANCE
from games.table import Table
from luck import luck_analyse
from matches.replay.frame_encoding import frame_encoding_of_record
from tests.games.sample import FOLDER
from tests.matches.live.stories import played

ROOT = Path(__file__).parents[3]
STATIC = {
    "matches": ROOT / "platform/matches/static/matches",
    "site": ROOT / "platform/arena/site/static/site",
    "web": ROOT / "platform/web/static/web",
}
POLICY = "default-src 'self'; script-src 'self'; style-src 'self'; object-src 'none'; base-uri 'none'"
CSS = "".join(f'<link rel="stylesheet" href="/static/{file}">' for file in ("site/css/site.css", "matches/match.css"))
LATER = {"module": "/static/matches/replay/later.js", "style": "/static/matches/replay/later.css"}
LUCK = {"module": "/static/matches/replay/luck/index.js", "style": "/static/matches/replay/luck/luck.css"}
EMBED = '<script type="module" src="/static/matches/embed.js"></script>'
SOON = 0.02  # how often, in seconds, the server looks whether it is to end
LONG_NAMES = (
    "Grandmaster Rooster Pro2",
    "Magnificent Early Birdie",
    "The Unflappable Old Owlie",
    "Chickenwing Commander 10",
    "Wintergartenhühnerstall1",
)
RECORDS = [played(0, fault_at=20), played(0)]
MATCH = {
    "match": 7,
    "ruleset": "pickomino/1",
    "board": "/static/matches/replay/boards/pickomino/index.js",
    "words": {"reasons": {"grill_empty": "the grill was empty"}, "tie_breaks": {"highest_tile": "tie broken"}},
    "state": "finished",
    "attempt": 1,
    "games": 2,
    "seats": [{"name": "Fat Crow", "version": 3}, {"name": "Wise Owl", "version": 1}],
    "frames": "/matches/7/games/{game}/frames.json",
    "edition": "1.1",
    "socket": "/ws/matches/7/",
    "page": "/matches/7/",
    "later": LATER,
    "embedded": False,
}


@cache
def canned(ruleset: str, players: int = 3) -> Record:
    """A game of stand-ins."""
    table, act = Table(current(ruleset), players, {}, bytes(range(16))), catalogue_stand_in(ruleset)
    while not table.over:
        table.play(act(table.view(table.actor)))
    return table.record()


@cache
def frames_json(game: int) -> bytes:
    outcome = RECORDS[game].verify()
    end = {"places": outcome.places, "reason": outcome.reason, "tie_break": "highest_tile"}
    return frame_encoding_of_record(game, RECORDS[game].encode()).json(end=end).encode()


@cache
def luck_json(game: int) -> bytes:
    return json.dumps(luck_analyse(RECORDS[game]).to_dict()).encode()


@cache
def board_frames_json(ruleset: str, players: int) -> bytes:
    return frame_encoding_of_record(0, canned(ruleset, players).encode()).json().encode()


@cache
def notes_json(ruleset: str) -> bytes:
    notes = [
        {"seat": one.before.actor, "step": n, "note": "", "marks": [one.action, "seat 1"], "value": None}
        for n, one in enumerate(canned(ruleset).replay(), 1)
        if one.before.actor != CHANCE
    ]
    return json.dumps({"notes": notes}).encode()


def of_the_game(ruleset: str) -> dict[str, str]:
    later = f"/static/matches/replay/boards/{ruleset}/later.js"
    return {"game": later} if static_file(later).exists() else {}


def names_of(ruleset: str, *, full: bool) -> tuple[str, ...]:
    return LONG_NAMES[: max(current(ruleset).seats)] if full else ("Fat Crow", "Wise Owl", "Early Bird")


def board_match(ruleset: str, *, full: bool = False) -> dict[str, object]:
    seats = [{"name": name, "version": 1} for name in names_of(ruleset, full=full)]
    address = f"/boards/{ruleset}/{'full/' if full else ''}"
    return {
        "later": {**LATER, **of_the_game(ruleset)},
        "ruleset": current(ruleset).id,
        "board": f"/static/matches/replay/boards/{ruleset}/index.js",
        "games": 1,
        "seats": seats,
        "page": address,
        "frames": f"{address}frames.json",
    }


def static_file(address: str) -> Path:
    """Where a file below /static/ lies; the boards of the sample games are in their packages."""
    _, room, *parts = address.strip("/").split("/")
    if "boards" in parts:
        game, name = parts[-2:]
        sample = FOLDER / game / f"pecking_order_{game}" / "board" / name
        if sample.exists():
            return sample
    return STATIC[room].joinpath(*parts)


def board_css(board: object) -> str:
    """A link to the style sheet beside the board, if there is one."""
    file = str(board).replace("index.js", "board.css")
    return f'<link rel="stylesheet" href="{file}">' if static_file(file).exists() else ""


def page_html(**changes: object) -> str:
    match = {**MATCH, **changes}
    data, style = json.dumps(match), board_css(match["board"])
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>Match 7</title>{CSS}{style}"
        '<script type="module" src="/static/matches/replay/match-replay.js"></script>'
        f'<main><script type="application/json" id="replay-data">{data}</script>'
        '<match-replay data-from="replay-data"></match-replay>'
        f"{EMBED if match['embedded'] else ''}"
        '<label>Note <input id="note"></label> <a href="?game=2" data-replay-game="1">Watch game 2</a></main></html>'
    )


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        parts = path.strip("/").split("/")
        if path == "/matches/7/":
            self._answer(page_html().encode(), "text/html; charset=utf-8")
        elif path == "/matches/7/embed/":
            self._answer(page_html(embedded=True).encode(), "text/html; charset=utf-8")
        elif path == "/matches/7/loop/":
            embed = {"loop": True, "conceal": True}
            self._answer(page_html(embedded=True, games=1, embed=embed).encode(), "text/html; charset=utf-8")
        elif path == "/matches/7/live/":
            self._answer(page_html(state="running", ticket="7.authors:signed").encode(), "text/html; charset=utf-8")
        elif path == "/matches/7/opening/":
            self._answer(page_html(autoplay=True).encode(), "text/html; charset=utf-8")
        elif path == "/matches/7/long/":
            seats = [{"name": "W" * 40, "version": 3}, {"name": "Hen" * 13, "version": 1}]
            self._answer(page_html(seats=seats).encode(), "text/html; charset=utf-8")
        elif path == "/around/":
            self._answer(b'<!doctype html><title>x</title><iframe src="/matches/7/embed/"></iframe>', "text/html")
        elif parts[0] == "boards" and parts[-1] == "frames.json":
            names = names_of(parts[1], full="full" in parts)
            self._answer(board_frames_json(parts[1], len(names)), "application/json")
        elif parts[0] == "boards" and parts[-1] == "luck.json":
            self._answer(json.dumps(luck_analyse(canned(parts[1])).to_dict()).encode(), "application/json")
        elif parts[0] == "boards" and parts[-1] == "notes.json":
            self._answer(notes_json(parts[1]), "application/json")
        elif parts[0] == "boards" and parts[-1] == "notes":
            values = {"notes": f"/boards/{parts[1]}/notes.json"}
            self._answer(page_html(**board_match(parts[1]), **values).encode(), "text/html; charset=utf-8")
        elif parts[0] == "boards" and parts[-1] == "luck":
            values = {"luck": f"/boards/{parts[1]}/luck.json", "luck_later": LUCK}
            self._answer(page_html(**board_match(parts[1]), **values).encode(), "text/html; charset=utf-8")
        elif parts[0] == "boards":
            match = board_match(parts[1], full=parts[-1] == "full")
            self._answer(page_html(**match).encode(), "text/html; charset=utf-8")
        elif path == "/matches/7/luck/":
            address = "/matches/7/games/{game}/luck.json"
            self._answer(
                page_html(luck=address, luck_later=LUCK, later={**LATER, **of_the_game("pickomino")}).encode(),
                "text/html; charset=utf-8",
            )
        elif path.endswith("/luck.json"):
            self._answer(luck_json(int(parts[3])), "application/json")
        elif path.startswith("/matches/7/games/"):
            self._answer(frames_json(int(parts[3])), "application/json")
        elif parts[0] == "static":
            file = static_file(path)
            self._answer(file.read_bytes(), guess_type(file.name)[0] or "text/plain")
        else:
            self.send_error(404)

    def _answer(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def stage() -> Iterator[str]:
    """The address of the server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(SOON,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
