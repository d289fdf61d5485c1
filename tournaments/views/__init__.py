"""Pages of tournaments. Each view parses the request, calls one service or selector, and renders the result."""
