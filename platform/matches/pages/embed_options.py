"""What the address of a replay in somebody else's page asks for: see the match page, *Show it elsewhere*."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

THEMES: Final = ("light", "dark")
_SAID: Final = {"1": True, "true": True, "0": False, "false": False}


@dataclass(frozen=True, slots=True)
class EmbedOptions:
    """``theme``: "light", "dark" or "", the reader's own; ``conceal``: nothing is told ahead of what is shown."""

    theme: str = ""
    controls: bool = True
    title: bool = True
    loop: bool = False
    conceal: bool = True
    autoplay: bool = False

    def for_player(self) -> dict[str, Any]:
        """Return what the player is told."""
        return asdict(self)


def embed_options(query: Mapping[str, Any]) -> EmbedOptions:
    """Return the options in ``query``; what it does not say, or says wrongly, is as usual."""
    usual = EmbedOptions()
    theme = query.get("theme", "")
    switches = {
        name: _SAID.get(query.get(name, ""), getattr(usual, name))
        for name in ("controls", "title", "loop", "conceal", "autoplay")
    }
    return EmbedOptions(theme=theme if theme in THEMES else "", **switches)
