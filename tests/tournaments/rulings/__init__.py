"""Rulings: the fold, the services, the previews, the pages."""
