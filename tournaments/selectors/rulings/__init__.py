"""What was ruled, and what would follow from a ruling."""
