"""Games as environments of PettingZoo, Gymnasium and OpenSpiel (the extra `rl`)."""
