"""Announcements of organisers and questions to them: on the pages of tournaments, leagues and groups, with notices."""
