"""What can be wrong with a match that is asked for."""


class MatchError(ValueError):
    """``field`` says which part is wrong: "versions", "secret", "blocks", "stopping", "min_action_ms"."""

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(f"match, {field}: {detail}")
        self.field = field
        self.detail = detail
