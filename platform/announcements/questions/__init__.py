"""Questions to those who run an event or group: asked in private, answered in private or for everybody."""
