"""The page in a real browser, besides whole games: what is copied, kept, set up, timed, and let be played."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus

import pytest
from visits import COMPILING, PLACES, Visit, check_page

pytestmark = pytest.mark.browser


def move(visit: Visit, place: int = 0) -> None:
    before = visit.version()
    visit.page.locator(PLACES).nth(place).click()
    visit.settled(before)


def plies(visit: Visit) -> int:
    return int(visit.page.get_attribute("main", "data-ply"))


def test_position_and_record_are_copied(browser: Any, server: str) -> None:
    visit = Visit(browser, server, permissions=["clipboard-read", "clipboard-write"])
    visit.begin("kalah")
    move(visit, 1)
    for button, field in (("Copy the position", "#position"), ("Copy the record", "#record")):
        visit.page.get_by_role("button", name=button).click()
        visit.page.wait_for_timeout(100)
        copied = visit.page.evaluate("navigator.clipboard.readText()")
        assert copied == visit.page.input_value(field)
        assert copied
    visit.page.goto(server)
    visit.page.get_by_label("Record of a game").fill(copied)
    visit.page.get_by_role("button", name="Continue this game").click()
    visit.page.get_by_role("button", name="Begin the game").click()
    visit.page.wait_for_selector("#ply-1")
    visit.close()


def test_the_wheel_goes_through_the_moves(visit: Visit) -> None:
    visit.begin("british-square:size=3")
    for _ in range(3):
        move(visit)
    for delta, ply in ((-100, 2), (-100, 1), (100, 2), (-100, 1), (-100, 0), (-100, 0), (100, 1)):
        visit.page.locator(".through").hover()
        with visit.page.expect_response(re.compile(r"/games/[^/]+$")):  # two answers may come in any order
            visit.page.mouse.wheel(0, delta)
        visit.until(f"document.querySelector('main').dataset.ply == '{ply}'")
    assert visit.page.evaluate("scrollY") == 0


def test_games_are_saved_as_a_file_and_read_again(browser: Any, server: str, tmp_path: Path) -> None:
    visit = Visit(browser, server)
    visit.begin("british-square:size=3")
    move(visit)
    visit.page.get_by_role("button", name="Resign").click()
    visit.page.wait_for_selector("#to-review")
    assert "resigned" in visit.status()
    visit.page.get_by_role("link", name="My games").click()
    visit.page.wait_for_selector("#export")
    with visit.page.expect_download() as saved:
        visit.page.locator("#export").click()
    saved.value.save_as(tmp_path / "games.txt")
    count = (tmp_path / "games.txt").read_text().count("[Game")
    visit.page.set_input_files("#file", tmp_path / "games.txt")
    visit.page.locator("#import").click()
    visit.page.wait_for_selector(".note")
    assert visit.page.inner_text(".note") == f"Games added: 0. Games that were saved already: {count}."
    visit.close()


@pytest.mark.parametrize("has_scripts", [True, False])
def test_a_position_is_set_up(browser: Any, server: str, has_scripts: bool) -> None:
    visit = Visit(browser, server, java_script_enabled=has_scripts)
    visit.page.goto(f"{server}/new?game=kalah")
    visit.page.locator('[name="option-pits"]').fill("4")
    visit.page.locator("#do-board").click()
    visit.page.wait_for_selector("#do-show")
    visit.page.locator("#position").fill("0,0,1,0,9/2,0,0,0,20 n")
    visit.page.locator("#do-show").click()
    visit.page.wait_for_url("**position=0%2C0%2C1*")
    assert visit.status() == "North to move"
    visit.page.locator("#do-random").click()
    visit.page.wait_for_url("**plies=12*")
    text = visit.page.input_value("#position")
    visit.page.locator("#do-begin").click()
    visit.page.wait_for_selector("#do-board")
    assert visit.page.input_value("#position") == text
    visit.page.get_by_role("button", name="Begin the game").click()
    visit.page.wait_for_selector("#record")
    assert "kalah:pits=4" in visit.page.inner_text("h1")
    assert f'[Position "{text}"]' in visit.page.input_value("#record")
    visit.close()


def test_a_clock_runs_and_runs_out(browser: Any, server: str) -> None:
    visit = Visit(browser, server)
    visit.page.goto(f"{server}/new?game=amazons:width=4,height=4&second=human&clock=3")
    visit.page.get_by_role("button", name="Begin the game").click()
    visit.page.wait_for_selector("[data-left]")
    visit.until("document.querySelector('[data-left]').innerText == '0:02'")
    move(visit)
    visit.until("document.querySelector('#status').innerText.includes('ran out of time')")
    assert visit.page.locator("[data-left]").count() == 0
    visit.close()


def test_a_clock_without_scripts(browser: Any, server: str) -> None:
    visit = Visit(browser, server, java_script_enabled=False)
    visit.page.goto(f"{server}/new?game=british-square&second=human&clock=60%2B1")
    visit.page.get_by_role("button", name="Begin the game").click()
    assert re.fullmatch(r"first\s+1:00\s+second\s+1:00", visit.page.inner_text(".clocks"))
    visit.close()


def test_two_programs_are_paused_and_go_on(visit: Visit) -> None:
    visit.page.goto(f"{visit.server}/new?game=british-square&first=random&second=random")
    visit.page.get_by_role("button", name="Begin the game").click()
    visit.page.wait_for_selector("#ply-1")
    visit.page.keyboard.press("p")
    visit.until("document.querySelector('#status').innerText.includes('paused')")
    before = plies(visit)
    visit.page.wait_for_timeout(1500)
    assert plies(visit) == before
    visit.page.get_by_label("Speed", exact=True).select_option("fast")
    before_pace = visit.version()
    visit.page.locator("#do-pace").click()
    visit.settled(before_pace)
    visit.page.keyboard.press("p")
    visit.page.wait_for_selector("#to-review", timeout=COMPILING)
    assert re.search("wins|draw", visit.status(), re.IGNORECASE)


def test_a_program_plays_one_move_and_the_board_is_turned(visit: Visit) -> None:
    visit.begin("hare-and-hounds")
    visit.page.locator("#player").select_option("random")
    visit.page.locator("#do-ask").click()
    visit.page.wait_for_selector("#ply-1")
    assert visit.status() == "Hare to move"
    visit.page.keyboard.press("t")
    visit.until("document.querySelector('.board img').src.endsWith('-turned.svg')")
    move(visit)


def test_a_link_sets_the_game_up(visit: Visit) -> None:
    visit.begin("kalah")
    move(visit)
    position = visit.page.input_value("#position")
    link = visit.page.get_by_role("link", name="Link that restores this game").get_attribute("href")
    assert "record=" in unquote_plus(link)
    visit.page.goto(visit.server + link)
    visit.page.get_by_role("button", name="Begin the game").click()
    visit.page.wait_for_selector("#ply-1")
    assert visit.page.input_value("#position") == position


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_frames_are_shown_unless_motion_is_reduced(browser: Any, server: str, motion: str) -> None:
    visit = Visit(browser, server, reduced_motion=motion)
    shown: list[str] = []
    visit.page.on("request", lambda request: shown.append(request.url))
    for game in ("kalah", "pig:Pig:goal=10"):
        shown.clear()
        visit.begin(game)
        move(visit)
        visit.page.wait_for_timeout(1000)
        assert any("/frames?" in address for address in shown) == (motion == "no-preference")
    visit.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_more_pages_are_accessible_and_fit(browser: Any, server: str, scheme: Any, width: int) -> None:
    from axe_playwright_python.sync_playwright import Axe

    visit = Visit(browser, server, color_scheme=scheme, viewport={"width": width, "height": 800})
    visit.page.set_default_timeout(COMPILING)
    visit.page.goto(f"{server}/board?game=amazons")
    check_page(visit, Axe())
    visit.page.goto(f"{server}/new?game=kalah&second=human&clock=90")
    visit.page.get_by_role("button", name="Begin the game").click()
    visit.page.wait_for_selector(".clocks")
    visit.page.keyboard.press("t")
    found = Axe().run(visit.page)
    assert found.violations_count == 0, found.generate_report()
    visit.begin("kalah:pits=4,seeds=3")
    visit.page.goto(f"{visit.page.url}/analysis?ply=0&by=theta:depth=2")
    visit.page.wait_for_selector("#study:not([data-events])")
    visit.page.get_by_role("link", name="Why").last.click()
    visit.page.wait_for_selector("#why")
    visit.page.wait_for_selector("#study:not([data-events])")
    check_page(visit, Axe())
    visit.page.goto(f"{server}/mine")
    check_page(visit, Axe())
    visit.close()
