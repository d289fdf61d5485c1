"""The matches of a bot, on its page and in the API: results, faults, output, timings and costly decisions."""
