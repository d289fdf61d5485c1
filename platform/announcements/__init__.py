"""Announcements of organisers: texts on the pages of tournaments, leagues and groups, sent to those who take part."""
