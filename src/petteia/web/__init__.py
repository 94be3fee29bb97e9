"""The web application, in which people play and analyse games in the browser.

The command `petteia web` starts the web application, and needs the optional dependencies `petteia[web]`.

Each module imports only modules that come before it in this list:

- `words`: the texts of the page, from `english.toml`
- `allowed`: the games and players that requests may name
- `pictures`: images of boards, and the places on them that can be clicked; a child process draws custom games
- `time_limit`: a time limit for calls of custom code
- `thinkers`: a pool that computes the moves of players
- `shelf`: the files of saved games
- `game`, `games`: a game in progress, and all games of the server
- `studies`: analyses of positions and reviews of games
- `setup`: the form for a new game
- `view`, `study_view`, `why_view`: the template contexts for a game, an analysis, and a comparison of two moves
- `guard`: access control and limits on requests
- `requests`: functions that parse requests, and the handling of errors in custom games
- `streams`: server-sent events
- `boards`, `mine`, `analysing`, `app`: the routes of the application
- `serve`: the server
"""
