"""The cage that untrusted bots run in: boxes, limits, verdicts. It knows the wire, never the rules of a game."""

from .box import Box
from .cage import Cage
from .faults import BotFault, Denied, Layer, PlatformFault, Reply
from .layers import Report, probe
from .link import Way

__all__ = ["BotFault", "Box", "Cage", "Denied", "Layer", "PlatformFault", "Reply", "Report", "Way", "probe"]
