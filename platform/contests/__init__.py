"""Shared by tournaments and leagues: who may organise them, their terms, and the actions of pages and the API."""
