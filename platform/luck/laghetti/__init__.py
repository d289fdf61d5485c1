"""What the cards of In cammino tra i laghetti were worth: told, and taken off nothing."""
