"""Parts of proofs of tournaments and seasons: the hash chain, the archive, and judging a match again. No Django."""
