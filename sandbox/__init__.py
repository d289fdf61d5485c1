"""The cage that untrusted bots run in: boxes, limits, verdicts. It knows the wire, never the rules of a game."""

from .box import Box
from .cage import Cage
from .faults import BotFault, Layer, PlatformFault, Reply, SandboxUnavailable
from .layers import LayerReport, probe
from .link import Backend

__all__ = [
    "Backend",
    "BotFault",
    "Box",
    "Cage",
    "Layer",
    "LayerReport",
    "PlatformFault",
    "Reply",
    "SandboxUnavailable",
    "probe",
]
