"""Games as environments for PettingZoo, Gymnasium and OpenSpiel. Install these with `pip install 'petteia[rl]'`."""
