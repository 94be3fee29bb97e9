"""Drawings of game trees, from left to right.

Circles are nodes of player 0, squares are nodes of player 1, and triangles are chance nodes. Dots are the nodes between
the steps of a move.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Literal, NamedTuple

COLUMN, ROW, MARGIN, RADIUS, HEAD = 118, 26, 24, 8, 30
"""Sizes in pixels: between levels, between leaves, the margin, the radius of a node, and the height of the title."""
STYLE = """
    .tr-page { fill: #ffffff }
    .tr-edge { fill: none; stroke: #8a8f98; stroke-width: 1.3 }
    .tr-node { fill: #dfe8f5; stroke: #20242a; stroke-width: 1.5 }
    .tr-dot { fill: #8a8f98 }
    .tr-text { fill: #20242a; font: 12px system-ui, sans-serif }
    .tr-inner { text-anchor: end }
    .tr-title { fill: #20242a; font: 600 14px system-ui, sans-serif }
    @media (prefers-color-scheme: dark) {
      .tr-page { fill: #1b1e23 }
      .tr-node { fill: #33465f; stroke: #e6e9ee }
      .tr-text, .tr-title { fill: #e6e9ee }
    }
"""


class Node(NamedTuple):
    """A node of the drawing: a position, or the point between two steps of a move."""

    mover: Literal[0, 1, "chance", "end", "part"]
    """the side to move, `chance` or `end`; `part` between two steps of a move"""
    words: str = ""
    """the text beside the node, such as its value"""
    children: tuple[tuple[str, Node], ...] = ()
    """the child nodes, each with the text on the edge to it"""


class _Placed(NamedTuple):
    node: Node
    x: float
    y: float
    parent: tuple[float, float] | None
    edge: str


def tree_svg(root: Node, title: str) -> str:
    """Draw a tree as an SVG element. The output is deterministic."""
    placed = [*_place(root, 0, [0], None, "")]
    width = MARGIN * 2 + COLUMN * (max(each.x for each in placed) + 1)
    height = MARGIN + HEAD + ROW * (max(each.y for each in placed) + 1)
    parts = [part for each in placed for part in _edge(each)] + [part for each in placed for part in _sign(each)]
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" role="img" '
        f'aria-label="{escape(title)}">\n<style>{STYLE}</style>\n<title>{escape(title)}</title>\n'
        f'<rect class="tr-page" width="{width:g}" height="{height:g}"/>\n'
        f'<text class="tr-title" x="{MARGIN}" y="20">{escape(title)}</text>\n{body}\n</svg>'
    )


def _place(node: Node, level: int, rows: list[int], parent: tuple[float, float] | None, edge: str) -> Iterator[_Placed]:
    """Yield all nodes of a tree with their positions in the drawing, children before parents.

    `rows[0]` counts the leaves that already have a position. The function increases this count.
    """
    if not node.children:
        rows[0] += 1
        yield _Placed(node, level, rows[0] - 1, parent, edge)
        return
    below = [[*_place(child, level + 1, rows, (level, 0.0), words)] for words, child in node.children]
    y = (below[0][-1].y + below[-1][-1].y) / 2
    for group in below:
        yield from group[:-1]
        yield group[-1]._replace(parent=(level, y))
    yield _Placed(node, level, y, parent, edge)


def _at(x: float, y: float) -> tuple[float, float]:
    return MARGIN + COLUMN * x, HEAD + ROW * (y + 0.5)


def _edge(each: _Placed) -> Iterator[str]:
    if each.parent is None:
        return
    (left, top), (x, y) = _at(*each.parent), _at(each.x, each.y)
    middle = left + 26
    yield f'<path class="tr-edge" d="M{left:g},{top:g} L{middle:g},{y:g} H{x:g}"/>'
    yield f'<text class="tr-text" x="{middle + 4:g}" y="{y - 3:g}">{escape(each.edge)}</text>'


def _sign(each: _Placed) -> Iterator[str]:
    x, y = _at(each.x, each.y)
    r = RADIUS
    match each.node.mover:
        case 0:
            yield f'<circle class="tr-node" cx="{x:g}" cy="{y:g}" r="{r}"/>'
        case 1:
            yield f'<rect class="tr-node" x="{x - r:g}" y="{y - r:g}" width="{2 * r}" height="{2 * r}"/>'
        case "chance":
            yield f'<path class="tr-node" d="M{x - r:g},{y + r:g} H{x + r:g} L{x:g},{y - r:g} Z"/>'
        case _:
            yield f'<circle class="tr-dot" cx="{x:g}" cy="{y:g}" r="3"/>'
    if each.node.words and each.node.children:  # below the incoming edge, as outgoing edges are on the right
        yield f'<text class="tr-text tr-inner" x="{x - r - 4:g}" y="{y + 14:g}">{escape(each.node.words)}</text>'
    elif each.node.words:
        yield f'<text class="tr-text" x="{x + r + 4:g}" y="{y + 4:g}">{escape(each.node.words)}</text>'
