"""The code that all reports share. A report declares its content, and this code computes each part when needed.

Each report is a package with a `Declaration` (in the module `declaration`) and a template of its page, `page.md`. The
`Declaration` lists the experiments, claims, tables, charts and additional files of the report. Its content is declared
with these modules:

- *Settings, agents and matches* (`settings`): the training runs of an experiment, the players that have learned in
  them, and their opponents. `Size` is a number of games or positions for each size of the report.
- *Figures* (`figures`): statistics such as `of_match(match, "won")`, `of_curves`, `of_weights` and `of_each`, and their
  differences and ratios. A match is played when a figure first needs its result, which is then saved in a journal.
- *Round robins* (`round_robins`): matches between all players under the same limit. They are saved block by block.
- *Saved results* (`kept`): a slow function marked `@kept` is computed only once for the same arguments.
- *Tables* (`tables`): a function marked `@table` yields rows, which consist of a label and figures. A function marked
  `@match_table` yields the cells of a table of matches. A cell can contain the result that the original work prints
  (`printed`). The page shows tables by name, and the files figures.csv and tables.csv contain the same rows.
- *Claims* (`claims`): the claims of the original work, in claims.toml. Each claim has a rule (`rules`), which tests the
  claim and determines its verdict.
- *Charts* (`charts`): `Curves` draws the learning curves of settings. Any function of the evidence that returns an SVG
  can be a chart, too.

    COUNTS = Setting("learners", {"features": "counts"}, "counts", seat=0)
    GREEDY = Match(Agent(COUNTS, "depth=2"), "greedy", Size(1000, 100), words="counts against greedy")

    @table("learner", "games won")
    def learners(evidence: Evidence) -> Iterator[Row]:
        yield ["counts", of_match(GREEDY, "won")]

    CLAIMS = read_claims(__name__, "claims.toml", {"beats-greedy": above(of_match(GREEDY), 0.5)})
    REPORT = Declaration(__name__, "british-square", ["learners"], claims=CLAIMS, tables=[learners])

A report without training runs declares only matches, with the rules of the game and the openings. `estimates` computes
the confidence intervals of figures, `evidence` provides the results, and `work` stores them.
"""
