"""What the cards of In cammino tra i laghetti were worth: shown, and subtracted from nothing."""
