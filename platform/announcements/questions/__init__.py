"""Questions to the organisers of an event or group: asked privately, answered privately or publicly."""
