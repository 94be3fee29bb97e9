"""What a visitor's browser sees of the page: the first load, and a click until the board has followed.

python benchmarks/page_in_browser.py

It needs Chromium and playwright, which `make browser` installs.
"""

from __future__ import annotations

import os
import statistics
import tempfile
from typing import Any

from page_server import Server, Visitor, server
from playwright.sync_api import sync_playwright

from petteia.records.machine import machine

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
GAMES = ("kalah", "hare-and-hounds", "british-square", "amazons")
LOADS, CLICKS, PAUSE = 5, 40, 100
"""loads of a page, clicks in a game, and milliseconds between two clicks"""
LOADED = "performance.getEntriesByType('navigation')[0].loadEventEnd"
CLICK = """async () => {
  const seen = () => document.querySelector("main").dataset.version + location.search;
  const before = seen(), buttons = document.querySelectorAll(".board button.on");
  const button = buttons[buttons.length >> 1];
  if (!button) return null;
  const clock = performance.now();
  button.click();
  const isNew = () => seen() !== before && document.querySelector(".board img").complete;
  while (!isNew()) await new Promise(requestAnimationFrame);
  return performance.now() - clock;
}"""


def first_load(browser: Any, address: str) -> tuple[int, float]:
    """The bytes that a browser which was never there gets over the wire, and milliseconds until all is loaded."""
    context = browser.new_context()
    page = context.new_page()
    wire, sizes = context.new_cdp_session(page), []
    wire.send("Network.enable")
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(address, wait_until="load")
    took = float(page.evaluate(LOADED))
    page.wait_for_timeout(300)  # what comes after loading, such as the icon
    context.close()
    return round(sum(sizes)), took


def clicks(browser: Any, address: str) -> list[float]:
    """Milliseconds from clicks to the boards after them, in games of two persons."""
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(address)
    took = list[float]()
    while len(took) < CLICKS:
        if (milliseconds := page.evaluate(CLICK)) is None:
            page.locator("#do-again").click()
            page.wait_for_selector(".board button.on")
        else:
            took.append(milliseconds)
        page.wait_for_timeout(PAUSE)
    context.close()
    return took


def begun(served: Server, game: str) -> str:
    """The address of a new game."""
    with Visitor(served) as visitor:
        visitor.begin(game)
        return visitor.place


def main() -> None:
    for name, value in machine().items():
        print(f"{name}: {value}")
    with tempfile.TemporaryDirectory() as folder, server(folder) as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        site = f"http://{served.host}:{served.port}"
        pages = {"all games": "/", "a new game": "/new?game=kalah"} | {game: begun(served, game) for game in GAMES}
        for name, place in pages.items():
            loads = [first_load(browser, site + place) for _ in range(LOADS)]
            slowest = max(took for _, took in loads)
            print(f"first load of {name}: {loads[0][0]:,} bytes, at most {slowest:.0f} ms of {LOADS}", flush=True)
        for game in GAMES:
            took = sorted(clicks(browser, site + begun(served, game)))
            middle, maximum = statistics.median(took), took[-1]
            print(f"click to board, {game}: median {middle:.0f} ms, at most {maximum:.0f} ms of {CLICKS}", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
