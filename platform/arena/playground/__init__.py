"""The playground: pages on which Python runs in the browser, to write, run and watch a bot, or to play against house
bots."""
