"""Shared by all apps with pages: the base of the API, errors, email, downloads, and database helpers."""
