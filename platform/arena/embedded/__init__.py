"""The whole site on one machine: the Valkey server and the processes that `up` keeps alive."""
