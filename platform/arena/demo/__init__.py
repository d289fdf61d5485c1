"""Something to look at on a new site: the house bots, cups and a ladder that they play among themselves."""
