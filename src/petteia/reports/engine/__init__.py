"""The engine of all reports: a report declares its content, and the engine computes each part when it is needed.

A report is a folder with a `Declaration` (`declaration`): its experiments, claims, tables and charts, the files beside
its page, and the template `page.md`. It consists of:

- *Settings, agents and matches* (`settings`): the training runs of an experiment, the players that have learned in
  them, and their opponents. `Size` is a number that depends on the scale.
- *Figures* (`figures`): `of_match(match, "won")`, `of_curves`, `of_weights`, `of_each`, and contrasts of figures. A
  match is played when a figure first needs it, and saved in a journal.
- *Round robins* (`round_robins`): matches of all players under the same limit. The arena plays them block by block.
- *Saved results* (`kept`): a slow function marked `@kept` is computed once for the same arguments.
- *Tables* (`tables`): a function marked `@table` yields rows of a label and figures. A function marked `@match_table`
  yields the cells of a table of matches, with the results that an original prints (`printed`). The page shows tables by
  name, and the files figures.csv and tables.csv contain the same rows.
- *Claims* (`claims`): the claims of the original, in claims.toml, and a rule for each (`rules`) that finds its words
  and its verdict.
- *Charts* (`charts`): `Curves` of settings, or any function that draws from the evidence.

    COUNTS = Setting("learners", {"features": "counts"}, "counts", seat=0)
    GREEDY = Match(Agent(COUNTS, "depth=2"), "greedy", Size(1000, 100), words="counts against greedy")

    @table("learner", "games won")
    def learners(evidence: Evidence) -> Iterator[Row]:
        yield ["counts", of_match(GREEDY, "won")]

    CLAIMS = read_claims(__name__, "claims.toml", {"beats-greedy": above(of_match(GREEDY), 0.5)})
    REPORT = Declaration(__name__, "british-square", ["learners"], claims=CLAIMS, tables=[learners])

A report without training runs declares only matches, with their rules and openings. `estimates` computes the intervals
of figures, `evidence` provides the results, and `work` stores them.
"""
