"""The log: one line for each thing that happened, with the ids by which lines belong together, and no secrets."""
