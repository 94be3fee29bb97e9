"""What all reports are made with: a report declares what it needs, and all of it is worked out when it is asked for.

A report is a folder with a `Declaration` (`declaration`): its experiments, its claims, its tables and charts, the files
beside its page, and `page.md`. It is made of:

- *Settings, agents and matches* (`settings`): which trainings of which experiment are meant, who plays by what they
  have learned, and whom they meet. `Size` is a number that depends on the scale.
- *Figures* (`figures`, `measures`): `of_match(match, "won")`, `of_curves`, `of_weights`, `of_each`, and contrasts of
  figures. A match is played when a figure of it is asked for first, and noted in a journal.
- *Round robins* (`round_robins`): players who all meet under a limit of thought; the arena plays them block by block.
- *What takes long* (`kept`): a function marked `@kept` is computed once for the same arguments, and read again later.
- *Tables* (`tables`): a function marked `@table` gives rows of a label and figures; one marked `@match_table` gives the
  cells of a table of matches, beside what an original prints (`printed`, `cells`). The page shows them by their names,
  and the files figures.csv and tables.csv are made of the same rows.
- *Claims* (`claims`): what the original says, in claims.toml, and a rule for each (`rules`), by which words and
  verdicts are found.
- *Charts* (`charts`): `Curves` of settings, or any function that draws from the evidence.

    COUNTS = Setting("learners", {"features": "counts"}, "counts", seat=0)
    GREEDY = Match(Agent(COUNTS, "depth=2"), "greedy", Size(1000, 100), words="counts against greedy")

    @table("learner", "games won")
    def learners(evidence: Evidence) -> Iterator[Row]:
        yield ["counts", of_match(GREEDY, "won")]

    CLAIMS = read_claims(__name__, "claims.toml", {"beats-greedy": above(of_match(GREEDY), 0.5)})
    REPORT = Declaration(__name__, "british-square", ["learners"], claims=CLAIMS, tables=[learners])

A report without trainings declares matches alone: who meets whom, under which rules and from which openings. How sure
a figure is comes from `estimates`, what was found from `evidence`, where it is kept from `work` and `matches`.
"""
