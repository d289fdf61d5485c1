"""What proofs of tournaments and of seasons are made of: links, their archive, and a match judged again. No Django."""
