"""Run a whole site on one machine: a Valkey server and the processes that ``up`` supervises."""
