"""What those who run the site look at: whether it works, how much waits and for how long, and who is there to do it."""
