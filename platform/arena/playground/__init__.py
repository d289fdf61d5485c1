"""Pages on which Python runs in the browser: write a bot, run it and watch it; play against house bots."""
