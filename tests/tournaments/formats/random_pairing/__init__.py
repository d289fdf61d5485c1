"""The format of ``docs/how-to/add-a-format.md``: each round brings together whom the lots bring together."""
