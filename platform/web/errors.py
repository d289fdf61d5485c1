"""Errors that answer a user's request. Pages show the text; the API adds a code and a status."""


class Refusal(ValueError):
    """A rejected request of a user. The text is translated and says what to do instead.

    ``code`` is for programs, ``field`` is the name of the form field, ``status`` the HTTP status in the API, ``wait``
    the seconds after which the request may be repeated (0: not applicable).
    """

    code: str = "refused"
    field: str = ""
    status: int = 400
    wait: int = 0
