"""Pages of leagues: each view parses, calls one service or selector, and renders."""
