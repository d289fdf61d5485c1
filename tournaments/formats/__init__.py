"""Who meets whom, as pure functions: no Django, no games."""
