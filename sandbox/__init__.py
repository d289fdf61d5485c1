"""Run untrusted bots in a cage: boxes, resource limits, verdicts. This package knows the wire protocol, not the rules
of any game.
"""

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

# Programs at home import ``sandbox.inside`` without msgspec or Linux. So the modules that need these are loaded on
# first use.
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
