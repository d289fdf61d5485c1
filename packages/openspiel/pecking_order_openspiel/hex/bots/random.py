"""Plays any action."""

import random


def act(view):
    return random.choice(view["actions"])
