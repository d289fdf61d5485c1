"""Something to look at on a new site: the house bots, and cups that they play among themselves."""
