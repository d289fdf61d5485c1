"""What a worker does about prepared files, in the test's own process."""

from web.prepared.services import prepared_file_make_next


def make_files() -> None:
    """Prepare all requested files."""
    while prepared_file_make_next(stopping=lambda: False):
        pass
