"""Who meets whom: rounds, tables, brackets, and what is drawn from."""
