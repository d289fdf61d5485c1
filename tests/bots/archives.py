"""One-line builders of zip archives, honest and hostile."""

import io
import warnings
import zipfile

from tests.bots.factories import SOURCE


def packed(*files: tuple[str | zipfile.ZipInfo, bytes], bot: bool = True, how: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of ``files``, after a good bot.py unless ``bot`` is False."""
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w", how) as archive:
        warnings.simplefilter("ignore")  # double names are what some tests are about
        for name, content in ([("bot.py", SOURCE)] if bot else []) + list(files):
            # An entry made from a bare name bears the time of day, and equal archives would differ from run to run.
            info = entry(name, 0o600) if isinstance(name, str) else name
            archive.writestr(info, content, how if isinstance(name, str) else None)
    return out.getvalue()


def entry(name: str, mode: int = 0o100644) -> zipfile.ZipInfo:
    """An entry with a Unix mode."""
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    return info
