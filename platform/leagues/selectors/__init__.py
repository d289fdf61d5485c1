"""Read leagues: ladders, seasons, matches, permissions and exports."""
