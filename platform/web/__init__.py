"""What all rooms with pages share: the base of the API, errors, e-mail, downloads, and how the database is written."""
