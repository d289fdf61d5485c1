"""Who stands where, as pure functions: no Django, no games."""
