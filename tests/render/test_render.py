"""Boards and charts: what is drawn is what stands there, sound SVG, the same bytes every time."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
import warnings
import xml.etree.ElementTree as ElementTree
from typing import NamedTuple

import pytest

from petteia.core.errors import PetteiaError
from petteia.core.protocol import position, positions
from petteia.games import GAMES, game
from petteia.games.hare_and_hounds import EDGES, SQUARES
from petteia.render import board_svg, board_text, boards, hare_and_hounds
from petteia.render.charts import PALETTE, Curve, line_chart

RULES = game("hare-and-hounds")
SVG = "{http://www.w3.org/2000/svg}"

START = """\
         [1]----- 4 ----- 7
        / | \\     |     / | \\
      /   |   \\   |   /   |   \\
   [0]--- 2 ----- 5 ----- 8 ---<10>
      \\   |   /   |   \\   |   /
        \\ | /     |     \\ | /
         [3]----- 6 ----- 9

   [ ] hounds   < > hare   hounds to move, 0 of 10 stalling moves"""


def test_every_game_of_the_package_is_drawn() -> None:
    assert len(GAMES) > 0
    for cls in GAMES:
        assert boards.drawing(cls) is not None


# Hare and Hounds


def test_the_start_in_text() -> None:
    assert board_text(RULES, RULES.initial()) == START


@pytest.mark.parametrize(
    ("options", "text", "status"),
    [
        ("", "7,8,9/10 hare 0", "hounds won"),
        ("", "4,5,7/1 hounds 3", "hare won"),
        ("", "2,4,5/8 hare 3", "hare to move, 3 of 10 stalling moves"),
        (":stall=0", "2,4,5/8 hare 0", "hare to move"),
    ],
)
def test_text_and_title_say_how_things_stand(options: str, text: str, status: str) -> None:
    rules = game(f"hare-and-hounds{options}")
    state = rules.parse_state(text)
    assert board_text(rules, state).endswith(f"   {status}")
    title = ElementTree.fromstring(board_svg(rules, state)).findtext(f"{SVG}title")
    assert title == f"Hare and Hounds, {text}: {status}"


def test_text_shows_every_square_with_its_number_in_every_position() -> None:
    for i in range(0, positions(RULES), 7):
        state = position(RULES, i)
        board = board_text(RULES, state).partition("\n\n")[0]
        assert sorted(map(int, re.findall(r"\d+", board))) == list(range(SQUARES))
        assert {int(n) for n in re.findall(r"\[(\d+)\]", board)} == {s for s in range(SQUARES) if state.hounds >> s & 1}
        assert [int(n) for n in re.findall(r"<(\d+)>", board)] == [state.hare]


def test_text_draws_the_edges_and_no_others() -> None:
    """Walking along each line drawn from a square, the next square met is the neighbour that the edges say."""
    lines = START.partition("\n\n")[0].splitlines()
    centres = {
        int(found[1]): (row, found.start(1))
        for row, line in enumerate(lines)
        for found in re.finditer(r"(\d+)", line)
    }  # fmt: skip  # one line would be too long
    grid = {(row, column): character for row, line in enumerate(lines) for column, character in enumerate(line)}
    drawn = set()
    for a, b in itertools.combinations(range(SQUARES), 2):
        (row_a, column_a), (row_b, column_b) = sorted((centres[a], centres[b]))
        if row_a == row_b:
            between = [grid[row_a, column] for column in range(column_a + 2, column_b - 1)]
            joined = set(between) == {"-"}
        else:
            steps = range(1, row_b - row_a)
            columns = [column_a + (column_b - column_a) * step / (row_b - row_a) for step in steps]
            sign = "|" if column_a == column_b else "\\" if column_b > column_a else "/"
            joined = row_b - row_a == 3 and all(
                any(grid.get((row_a + step, round(column) + near)) == sign for near in (-1, 0, 1))
                for step, column in zip(steps, columns, strict=True)
            )
        if joined:
            drawn.add((a, b))
    assert drawn == {tuple(sorted(edge)) for edge in EDGES}


def test_svg_draws_the_edges_and_the_pieces_where_they_stand() -> None:
    for i in range(0, positions(RULES), 97):
        state = position(RULES, i)
        root = ElementTree.fromstring(board_svg(RULES, state))
        lines = {tuple(int(line.attrib[name]) for name in ("x1", "y1", "x2", "y2")) for line in root.iter(f"{SVG}line")}
        assert lines == {(*hare_and_hounds.PLACES[a], *hare_and_hounds.PLACES[b]) for a, b in EDGES}
        assert len(set(hare_and_hounds.PLACES)) == SQUARES
        pieces = {}
        for group in root.iter(f"{SVG}g"):
            x, y = map(int, re.findall(r"\d+", group.attrib["transform"]))
            kinds = {child.attrib["class"] for child in group}
            pieces[hare_and_hounds.PLACES.index((x, y))] = "hare" if "hh-hare" in kinds else "hound"
        hounds = dict.fromkeys((s for s in range(SQUARES) if state.hounds >> s & 1), "hound")
        assert pieces == hounds | {state.hare: "hare"}
        assert sorted(int(text.text or "") for text in root.iter(f"{SVG}text")) == list(range(SQUARES))


def test_svg_shows_the_last_move_from_rim_to_rim() -> None:
    state = RULES.parse_state("2,4,5/8 hare 3")
    root = ElementTree.fromstring(board_svg(RULES, state, 1 * SQUARES + 4))
    (left,) = [circle for circle in root.iter(f"{SVG}circle") if circle.attrib["class"] == "hh-left"]
    assert (int(left.attrib["cx"]), int(left.attrib["cy"])) == hare_and_hounds.PLACES[1]
    (arrow,) = [path for path in root.iter(f"{SVG}path") if path.attrib["class"] == "hh-arrow"]
    points = [tuple(map(float, point.split(","))) for point in re.findall(r"[-\d.]+,[-\d.]+", arrow.attrib["d"])]
    (x_1, y_1), (x_4, y_4) = hare_and_hounds.PLACES[1], hare_and_hounds.PLACES[4]
    assert min(points) == (x_1 + hare_and_hounds.RADIUS, y_1)
    assert max(points) == (x_4 - hare_and_hounds.RADIUS - 5, y_4)
    assert "after 1-4" in (root.findtext(f"{SVG}title") or "")
    assert "hh-arrow" not in {
        element.get("class") for element in ElementTree.fromstring(board_svg(RULES, state)).iter()
    }


def test_svg_stays_on_its_canvas_and_needs_nothing_else() -> None:
    text = board_svg(RULES, RULES.initial(), 10 * SQUARES + 8)
    assert "href" not in text
    assert "url(" not in text
    root = ElementTree.fromstring(text)
    assert root.attrib["viewBox"] == f"0 0 {hare_and_hounds.WIDTH} {hare_and_hounds.HEIGHT}"
    for x, y in hare_and_hounds.PLACES:
        assert 45 <= x <= hare_and_hounds.WIDTH - 45
        assert 45 <= y <= hare_and_hounds.HEIGHT - 45
    assert text == board_svg(RULES, RULES.initial(), 10 * SQUARES + 8)


# Games without a drawing


class Corner(NamedTuple):
    first: int
    second: int


class Grid(NamedTuple):
    """As much of a game as is needed to show a position."""

    def is_over(rules, state):
        return True

    def format_state(rules, state):
        return "x<o/.../.&. first"


def test_other_games_are_shown_as_their_position() -> None:
    assert board_text(Grid(), Corner(0, 12)) == "x<o\n...\n.&. first\n\nfirst 0   second 12"
    root = ElementTree.fromstring(board_svg(Grid(), Corner(0, 12), 3))
    lines = ["x<o", "...", ".&. first", None, "first 0   second 12"]
    assert [text.text for text in root.iter(f"{SVG}text")] == lines
    assert root.findtext(f"{SVG}title") == "test_render:Grid: x<o/.../.&. first"
    places = [int(text.attrib["y"]) for text in root.iter(f"{SVG}text")]
    assert places == sorted(set(places))
    assert max(places) < int(root.attrib["viewBox"].split()[3])


# Charts

RISING = Curve("alpha 0.1", [300, 600, 900], [0.5, 0.6, 0.9], [0.45, 0.55, 0.85], [0.55, 0.65, 0.95])
FLAT = Curve("alpha 0.9", [300, 600, 900], [0.5, 0.5, 0.5])


def chart(*curves: Curve, title: str = "Learning", y_range: tuple[float, float] | None = None) -> str:
    return line_chart(curves, title, "learning games", "win rate", y_range=y_range)


def colours(text: str) -> set[str]:
    return {colour for colour in PALETTE if f"stroke: {colour.lower()}" in text.lower()}


def test_a_chart_is_one_sound_svg_element() -> None:
    text = chart(RISING, FLAT, title="Hares & <hounds>: $5 of 100 %")
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert root.findtext(f"{SVG}title") == "Hares & <hounds>: $5 of 100 %"
    assert colours(text) == set(PALETTE[:2])
    assert "<style>*" not in text
    assert "svg.petteia-chart *{" in text


def test_a_dollar_sign_is_a_dollar_sign() -> None:
    assert chart(RISING, title="from $5 to $6").count("<use") == chart(RISING, title="from #5 to #6").count("<use")


@pytest.mark.slow
def test_the_same_chart_is_the_same_bytes_in_another_process() -> None:
    script = (
        "import sys; from petteia.render.charts import *\n"
        f"curves = [{RISING!r}, {FLAT!r}]\n"
        "sys.stdout.write(line_chart(curves, 'Learning', 'learning games', 'win rate'))\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    other = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert other == chart(RISING, FLAT)


def test_settings_of_the_user_change_nothing() -> None:
    import matplotlib

    before = chart(RISING)
    with matplotlib.rc_context({"font.size": 30, "axes.linewidth": 9, "lines.linewidth": 9, "svg.fonttype": "none"}):
        assert chart(RISING) == before
        assert matplotlib.rcParams["font.size"] == 30


def test_a_band_and_a_legend_stand_only_where_they_should() -> None:
    assert "FillBetweenPolyCollection_1" in chart(RISING)
    assert "FillBetweenPolyCollection_1" not in chart(FLAT)
    assert "legend_1" in chart(RISING, FLAT)
    assert "legend_1" not in chart(RISING)


def test_nothing_is_clipped_however_long_the_texts_are() -> None:
    """The last character of every text begins in the view box (with room for it), as does the first."""
    curves = [Curve(f"a rather long name of a curve, number {i}", [1e9, 2e9], [1e6 * i, 1e6]) for i in range(9)]
    curves.append(Curve("a name longer than a line " * 8, [1e9], [0]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        root = ElementTree.fromstring(line_chart(curves, "A title longer than a line " * 6, "x " * 90, "y " * 60))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    texts = 0
    for group in root.iter(f"{SVG}g"):
        found = re.fullmatch(
            r"translate\(([-\d.]+) ([-\d.]+)\)( rotate\(-90\))? scale\(([\d.]+) -[\d.]+\)", group.get("transform", "")
        )
        if found:
            texts += 1
            x, y, scale = float(found[1]), float(found[2]), float(found[4])
            shifts = re.findall(r"translate\(([\d.]+) ", " ".join(use.get("transform", "") for use in group))
            last = max(map(float, shifts), default=0.0)
            end_x, end_y = (x, y - scale * last) if found[3] else (x + scale * last, y)
            assert 0 <= x <= width - 5
            assert 0 <= end_x <= width - 5
            assert 5 <= y <= height
            assert 5 <= end_y <= height
    assert texts > 20


def test_many_curves_stay_distinct() -> None:
    curves = [Curve(str(i), [0, 1], [0, i]) for i in range(len(PALETTE) + 1)]
    text = chart(*curves)
    assert colours(text) == set(PALETTE)
    assert "stroke-dasharray" in text
    assert "stroke-dasharray" not in chart(*curves[:-1])


def test_one_point_is_seen() -> None:
    assert colours(chart(Curve("one", [1], [1]))) == {PALETTE[0]}
    assert "<use" in chart(Curve("one", [1], [1])).partition('id="line2d_')[2]


@pytest.mark.parametrize(
    ("curves", "reason"),
    [
        ([], "at least one curve"),
        ([Curve("a", [], [])], "'a' has no points"),
        ([Curve("a", [1, 2], [1])], "'a': y has 1 values, but x has 2"),
        ([Curve("a", [1], [1], [1, 2], [1])], "'a': low has 2 values, but x has 1"),
        ([Curve("a", [1], [1], None, [1])], "'a': `low` and `high` must be given together"),
    ],
)
def test_curves_that_cannot_be_drawn_are_refused(curves: list[Curve], reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        chart(*curves)


def test_without_matplotlib_one_line_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(PetteiaError, match=re.escape("pip install 'petteia[plot]'")) as raised:
        chart(RISING)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("text", ["\u5b66\u4e60", "\x07bell", "a\0b", "\u0639\u0631\u0628", "\U0001f415"])
def test_charts_of_any_signs(text: str) -> None:
    chart = line_chart([Curve(text, [1, 2], [1, 2]), Curve("other", [1, 2], [2, 2])], text, text, text)
    ElementTree.fromstring(chart.replace("xlink:", ""))
    assert ("\u5b66" in chart) == ("\u5b66" in text)
