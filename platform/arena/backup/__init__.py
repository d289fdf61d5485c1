"""All that a site holds, in one file: made while it runs, and put into an empty site whole or not at all."""
