"""The format of ``docs/how-to/add-a-format.md``: each round is drawn by lot."""
