"""The page: play any game in the browser, served from one's own machine (`petteia web`, the extra `web`).

In order: `words` (the texts of the page, in `english.toml`), `allowed` (which games and players the page may name),
`pictures` (boards as drawings, with the places where they are clicked; those of users' games are drawn in a process of
their own), `thinkers` (a bounded pool of players), `shelf` (games on disk), `game` (a game in play), `games` (all of
them), `studies` (what is thought of positions and games), `setup` (the form for a new game), `view` (what the page
shows of a game), `study_view` (of an analysis), `why_view` (of a move that is worse than the best), `guard` (who may
ask, and how much), `requests` (what was asked), `streams` (server-sent events), `boards` (the addresses of drawings,
and of setting up a position), `mine` (games that are kept, and files of them), `analysing` and `app` (the addresses),
`serve` (the server).
"""
