"""Leagues: seasons with a standing ladder, whose matches are chosen for what they teach about the ratings."""
