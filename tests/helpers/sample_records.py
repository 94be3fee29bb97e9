"""Records of games, sound ones: without dice and with."""

RECORD = """[Game "hare-and-hounds:stall=0"]
[First "q:agent=runs/hounds"]
[Second "human"]
[Date "2026-01-31"]
[Result "*"]

1. 0-2 2. 10-7 3. 2-5 *
"""
WITH_DICE = """[Game "tiny_games:DiceRace:goal=6"]
[First "random"]
[Second "human"]
[Position "0,3 second 2"]
[Result "-2 won by second"]

1. run 2. 1 3. step 4. 3 5. run 6. 1 7. run -2
"""
