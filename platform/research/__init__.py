"""The games as PettingZoo, OpenSpiel and Gymnasium know games: one module for each, which needs that package."""
