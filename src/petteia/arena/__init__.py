"""arena."""
