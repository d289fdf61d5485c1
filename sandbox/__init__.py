"""The cage that untrusted bots run in: boxes, limits, verdicts. It knows the wire, never the rules of a game."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .box import Box
    from .cage import Cage
    from .faults import Layer, Reply, SandboxUnavailable
    from .layers import LayerReport, layers_probe
    from .zygote_client import Backend

__all__ = [
    "Backend",
    "Box",
    "Cage",
    "Layer",
    "LayerReport",
    "Reply",
    "SandboxUnavailable",
    "layers_probe",
]

# What runs bots at home shares ``inside`` with the cage and has neither msgspec nor Linux: these come when asked for.
_MODULES = {
    "Backend": "zygote_client",
    "Box": "box",
    "Cage": "cage",
    "Layer": "faults",
    "LayerReport": "layers",
    "Reply": "faults",
    "SandboxUnavailable": "faults",
    "layers_probe": "layers",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(name)
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
