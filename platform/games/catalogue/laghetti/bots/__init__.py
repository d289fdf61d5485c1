"""The house bots of In cammino tra i laghetti. Each file is a whole bot, ready for upload: it imports none of ours."""
