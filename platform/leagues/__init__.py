"""Leagues: seasons with a ladder, whose matches are chosen for the information that they add to the ratings."""
