"""Games as environments of other libraries: PettingZoo, Gymnasium and OpenSpiel (the extra `rl`)."""
