"""What the commands that play return: fine, does not hold, wrong usage, a bot's fault, site or network, interrupted."""

OK, NOT_SO, USAGE, FAULT, SITE, INTERRUPTED = 0, 1, 2, 3, 4, 130
