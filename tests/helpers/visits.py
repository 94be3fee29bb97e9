"""A visit to the page in a real browser."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

COMPILING = 60_000
"""milliseconds within which a search is compiled and has an answer"""
ANSWERING = 20_000
"""milliseconds within which the page has any other answer, even on a busy machine"""
PLACES = ".board button.on, .words button"
"""where a move begins or goes on"""


class Visit:
    """A page, and what its console has said."""

    def __init__(self, browser: Any, server: str, **options: Any) -> None:
        self.context = browser.new_context(**{"reduced_motion": "reduce"} | options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(ANSWERING)
        self.server = server
        self.said: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))

    def begin(self, game: str, second: str = "human") -> None:
        from urllib.parse import urlencode

        self.page.goto(f"{self.server}/new?{urlencode({'game': game, 'second': second})}")
        self.page.get_by_role("button", name="Begin the game").click()
        self.page.wait_for_selector("#status")

    def status(self) -> str:
        return str(self.page.inner_text("#status"))

    def version(self) -> str:
        return str(self.page.get_attribute("main", "data-version")) + str(self.page.url)

    def settled(self, before: str) -> None:
        """Wait until something has followed on a click."""
        self.until("document.querySelector('main').dataset.version + location.href != " + repr(before))

    def until(self, expression: str) -> None:
        """Wait until a condition holds; the page's own policy forbids the waits of playwright."""
        from playwright.sync_api import Error

        for _ in range(ANSWERING // 10):
            with suppress(Error):  # a form that is sent before scripts have seen it loads the page anew
                if self.page.evaluate(expression):
                    return
            self.page.wait_for_timeout(10)
        pytest.fail(f"never: {expression}")

    def close(self) -> None:
        self.context.close()
        assert self.said == []


def check_page(visit: Visit, axe: Any) -> None:
    """No violation, nothing to scroll sideways."""
    visit.page.wait_for_load_state("networkidle")
    found = axe.run(visit.page)
    assert found.violations_count == 0, found.generate_report()
    assert visit.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
