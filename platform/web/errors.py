"""Errors that are the answer to a person's request: pages show the sentence, the API adds a code and a status."""


class Refusal(ValueError):
    """Refuse what a person asked for; the text is translated and says what to do instead.

    ``code`` is for programs, ``field`` names the form field concerned, ``status`` is the HTTP status of the API's
    answer, ``wait`` the seconds after which it may be tried again (0: no such time).
    """

    code: str = "refused"
    field: str = ""
    status: int = 400
    wait: int = 0
