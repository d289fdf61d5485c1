"""Adapters of all games for PettingZoo, OpenSpiel and Gymnasium: one module each, which requires that package."""
