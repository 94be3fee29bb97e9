"""Commands about learning: train, resume, runs, report."""

COMMANDS: dict[str, object] = {}
