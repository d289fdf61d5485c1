"""What may not be done with a puzzle."""

from typing import Any

from django.utils.translation import gettext as _


class NoSuchAction(ValueError):
    """The action is not legal at this position."""

    def __init__(self, action: str, actions: Any) -> None:
        detail = _("%(action)s is not possible here. Choose one of: %(actions)s.")
        super().__init__(detail % {"action": action[:40], "actions": ", ".join(actions)})
