"""Replays of finished games: records, frames and pictures for the replay player and for downloads."""
