"""petteia: a laboratory for two-player board games."""
