"""The web page, on which people play and analyse any game in the browser (`petteia web`, the extra `web`).

In order of import:

- `words`: the texts of the page, from `english.toml`
- `allowed`: the games and players that requests may name
- `pictures`: drawings of boards with their clickable places; custom games are drawn in a child process
- `time_limit`: a time limit for calls of custom code
- `thinkers`: a bounded pool of players
- `shelf`: the files of games
- `game`, `games`: a game in progress, and all games of the server
- `studies`: analyses of positions and reviews of games
- `setup`: the form for a new game
- `view`, `study_view`, `why_view`: the values for the templates of a game, an analysis, and a comparison of two moves
- `guard`: access control and limits on requests
- `requests`: reading of requests, and errors of custom games
- `streams`: server-sent events
- `boards`, `mine`, `analysing`, `app`: the routes
- `serve`: the server
"""
