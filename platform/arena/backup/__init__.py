"""Back up a running site to one file, and restore it into an empty site, completely or not at all."""
