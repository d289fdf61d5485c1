"""What pages, the API and tasks read about assignments."""
