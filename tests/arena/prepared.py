"""What a worker does about prepared files, in the test's own process."""

from web.prepared.services import file_prepare_next


def make_files() -> None:
    """Make all that have been asked for."""
    while file_prepare_next(stopping=lambda: False):
        pass
