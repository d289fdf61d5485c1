"""What is refused of a sparring match, each with a sentence for its author."""

from web.errors import Refusal


class SparringRefused(Refusal):
    """Nothing was made. ``code``: "not_accepted", "other_game", "not_yours", "too_many", "no_time", or "invalid" with
    the ``field`` that is wrong."""

    def __init__(self, code: str, sentence: str, field: str = "", *, status: int = 400, wait: int = 0) -> None:
        self.code = code
        self.field = field
        self.status = status
        self.wait = wait
        super().__init__(sentence)
