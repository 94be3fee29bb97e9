"""The page in a real browser: whole games by mouse, by keyboard alone and without scripts; narrow, dark, accessible."""

from __future__ import annotations

import os
import random
import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from own_drawings import HOSTILE
from visits import COMPILING, PLACES, Visit, check_page

pytestmark = pytest.mark.browser
GAMES = {
    "kalah": "kalah:pits=4,seeds=2",
    "hare-and-hounds": "hare-and-hounds:stall=3",
    "british-square": "british-square",
    "amazons": "amazons:width=4,height=4",
    "drops": "dropped_discs:Drops",
    "passes": "clicked_squares:Turns",
    "from-to": "clicked_squares:FromTo",
    "arrows": "clicked_squares:Arrows:width=4,height=4",
    "dice": "pig:Pig:goal=10",
    "no targets": "tiny_games:Nim:heaps=2",
} | {f"drawn {name}": f"{name}_board:Pass" for name in HOSTILE}
MAX_CLICKS = 500
ARROWS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")


def is_over(status: str) -> bool:
    return bool(re.search(r"\bwins\b|\bdraw\b", status, re.IGNORECASE))


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_by_mouse(visit: Visit, name: str) -> None:
    visit.begin(GAMES[name])
    chance = random.Random(1)
    for _ in range(MAX_CLICKS):
        if is_over(visit.status()):
            return
        places = visit.page.locator(PLACES)
        before = visit.version()
        places.nth(chance.randrange(places.count())).click()
        visit.settled(before)
    pytest.fail("the game does not end")


def find(visit: Visit, number: int) -> Any:
    """A place, by its role and its name, which no other may have."""
    name = visit.page.locator(PLACES).nth(number).evaluate("each => each.ariaLabel || each.innerText")
    found = visit.page.locator(".board, .words").get_by_role("button", name=name, exact=True)
    assert found.count() == 1, name
    return found


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_by_keyboard(visit: Visit, name: str) -> None:
    """By Enter, on what has the focus or is found by its role and name; after a move the focus is never lost."""
    visit.begin(GAMES[name])
    chance = random.Random(2)
    find(visit, 0).focus()
    for _ in range(MAX_CLICKS):
        if is_over(visit.status()):
            return
        for _ in range(chance.randrange(3)):
            visit.page.keyboard.press(chance.choice(ARROWS))
        if not visit.page.evaluate("document.activeElement.matches('.board button.on, .words button')"):
            find(visit, 0).focus()
        before = visit.version()
        visit.page.keyboard.press("Enter")
        visit.settled(before)
        visit.until("document.activeElement != document.body")
    pytest.fail("the game does not end")


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_without_scripts(browser: Any, server: str, name: str) -> None:
    visit = Visit(browser, server, java_script_enabled=False)
    visit.begin(GAMES[name])
    chance = random.Random(3)
    for _ in range(MAX_CLICKS):
        if is_over(visit.status()):
            break
        places = visit.page.locator(PLACES)
        with visit.page.expect_navigation():
            places.nth(chance.randrange(places.count())).click()
    else:
        pytest.fail("the game does not end")
    visit.close()


def test_a_program_answers_at_once(visit: Visit) -> None:
    visit.begin("british-square:size=3", "random")
    visit.page.locator(PLACES).first.click()
    visit.page.wait_for_selector("#ply-2", timeout=60_000)
    assert visit.page.evaluate("document.activeElement.matches('.board button')")
    visit.page.keyboard.press("u")
    visit.until("!document.querySelector('#ply-1')")
    visit.page.keyboard.press("r")
    visit.page.wait_for_selector("#ply-2")
    visit.page.locator("h1").click()
    visit.page.locator("#ply-first").click()
    visit.until("document.querySelector('main').dataset.ply == '0'")
    visit.page.keyboard.press("End")
    visit.until("document.querySelector('main').dataset.ply == '2'")


def test_an_analysis_grows_and_is_left(visit: Visit) -> None:
    """Values come depth by depth, by events alone; leaving the page and going back keep working."""
    visit.page.set_default_timeout(COMPILING)
    visit.begin("kalah")
    visit.page.locator("#to-analysis").click()
    visit.page.wait_for_selector(".values tbody tr")
    assert visit.page.locator(".board .value").count() > 0
    first = visit.page.inner_text("#study .hint")
    visit.until(f"document.querySelector('#study .hint').innerText != {first!r}")
    visit.page.locator("#to-game").click()
    visit.page.wait_for_selector("#to-analysis")
    visit.page.go_back()
    visit.page.wait_for_selector(".values tbody tr")


@pytest.mark.parametrize("has_scripts", [True, False])
def test_a_game_is_reviewed(browser: Any, server: str, has_scripts: bool) -> None:
    visit = Visit(browser, server, java_script_enabled=has_scripts)
    visit.page.set_default_timeout(COMPILING)
    visit.begin("hare-and-hounds")
    for _ in range(8):  # two steps a move
        before = visit.version()
        visit.page.locator(PLACES).last.click()
        if has_scripts:
            visit.settled(before)
    visit.page.locator("#to-analysis").click()
    visit.page.locator("#do-review").click()
    visit.page.wait_for_selector(".graph circle")
    visit.page.wait_for_selector("#study:not([data-events])")
    assert visit.page.locator(".graph circle, .graph .mistake").count() == 4
    visit.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_analyses_are_accessible_and_fit(browser: Any, server: str, scheme: Any, width: int) -> None:
    from axe_playwright_python.sync_playwright import Axe

    visit = Visit(browser, server, color_scheme=scheme, viewport={"width": width, "height": 800})
    visit.page.set_default_timeout(COMPILING)
    for name, query in (("hare-and-hounds", "review=1"), ("kalah", "by=theta")):
        visit.begin(name)
        for _ in range(2 if name == "hare-and-hounds" else 1):
            before = visit.version()
            visit.page.locator(PLACES).nth(1).click()
            visit.settled(before)
        visit.page.goto(f"{visit.page.url.partition('?')[0]}/analysis?ply=0&{query}")
        visit.page.wait_for_selector("#study:not([data-events])")
        visit.page.wait_for_selector(".values tbody tr")
        check_page(visit, Axe())
    visit.close()


PACKAGED = ("kalah", "hare-and-hounds", "amazons", "british-square")


@pytest.mark.parametrize("games", [PACKAGED, pytest.param((*GAMES.values(),), marks=pytest.mark.heavy)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_pages_are_accessible_and_fit(
    browser: Any, server: str, scheme: Any, width: int, games: tuple[str, ...]
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    visit = Visit(browser, server, color_scheme=scheme, viewport={"width": width, "height": 800})
    for address in ("/", "/new?game=kalah", "/board?game=kalah", "/mine"):
        visit.page.goto(server + address)
        check_page(visit, Axe())
    for name in games:
        visit.begin(name)
        check_page(visit, Axe())
        before = visit.version()
        visit.page.locator(PLACES).last.click()
        visit.settled(before)
        check_page(visit, Axe())
    visit.close()


def test_a_sowing_is_seen_stone_by_stone(browser: Any, server: str) -> None:
    """The pictures between two positions are shown one after the other."""
    visit = Visit(browser, server, viewport={"width": 1180, "height": 640}, reduced_motion="no-preference")
    visit.begin("kalah")
    shown: list[str] = []
    visit.page.on("request", lambda request: shown.append(request.url))
    for label in ("pit 3, 4 stones", "pit 6, 5 stones", "pit 2, 5 stones"):
        visit.page.get_by_role("button", name=label).click()
        visit.page.wait_for_timeout(1500)
    assert sum("/frames/" in address for address in shown) >= 8
    _keep_picture(visit, "web")
    visit.close()


def test_an_analysis_is_shown_on_the_board(browser: Any, server: str) -> None:
    """Where the game is solved, each place that can be clicked has its exact value."""
    visit = Visit(browser, server, viewport={"width": 1180, "height": 640})
    visit.page.set_default_timeout(COMPILING)
    visit.begin("kalah:pits=4,seeds=2")
    visit.page.goto(f"{visit.page.url}/analysis")
    visit.page.wait_for_selector("#study:not([data-events])")
    assert visit.page.locator(".board .value").count() == 4
    _keep_picture(visit, "web-analysis")
    visit.close()


def _keep_picture(visit: Visit, name: str) -> None:
    """Keep a picture of the page, in few colours, in the folder PETTEIA_SCREENSHOTS if that is set."""
    if folder := os.environ.get("PETTEIA_SCREENSHOTS"):
        from PIL import Image

        picture = Image.open(BytesIO(visit.page.screenshot())).convert("RGB")
        picture.quantize(256).save(Path(folder) / f"{name}.png", optimize=True)
