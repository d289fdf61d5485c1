"""The live stream of a match that is being played or broadcast, for its viewers."""
