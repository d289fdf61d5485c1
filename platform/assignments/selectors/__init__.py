"""Selectors of assignments, for pages, the API and tasks."""
