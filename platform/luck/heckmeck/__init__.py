"""The value of Heckmeck's positions."""
