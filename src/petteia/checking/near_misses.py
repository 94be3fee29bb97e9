"""Strings that differ slightly from a valid string, to test that parsers reject invalid input."""

from __future__ import annotations

import re

INSERTED = ("0", "1", "_", "+", "-", " ", "\t", "\n", "\u00a0", "\u200b", "x", ",")
CHANGED = ("0", "1", "9", " ", "-", "x", "X", "\0")
DIGITS = "٠١٢٣٤٥٦٧٨٩"  # digits for `str.isdigit`, like the next two constants
FULL_WIDTH = "０１２３４５６７８９"
SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹"


def near_misses(text: str) -> list[str]:
    """Return distinct strings that are similar to `text` but not equal to it, to test a parser with invalid input.

    Most of the strings contain one typing error: a character is removed, doubled, inserted, replaced, or swapped with
    the next one. A letter is replaced, for example, by the same letter in the other case. A digit is replaced, for
    example, by the same digit of another script. Other strings contain a number that is too large. A few strings, such
    as the empty string, do not depend on `text`.
    """
    texts = dict.fromkeys(["", " ", "\0", "0" * 5000, text * 2, f" {text}", f"{text} ", f"{text}\n", text.swapcase()])
    for i, character in enumerate(text):
        before, after = text[:i], text[i + 1 :]
        changes = [*CHANGED, "", character * 2, character.swapcase(), chr(ord(character) + 1), chr(ord(character) - 1)]
        if character in "0123456789":
            changes += [digits[int(character)] for digits in (DIGITS, FULL_WIDTH, SUPERSCRIPT)]
        texts |= dict.fromkeys(before + change + after for change in changes)
        texts |= dict.fromkeys(before + insertion + text[i:] for insertion in INSERTED)
        texts |= dict.fromkeys([before + after[:1] + character + after[1:]])
    for number in re.finditer("[0-9]+", text):
        for large in (1 << 31, 1 << 63, 1 << 64):
            texts |= dict.fromkeys([text[: number.start()] + str(large) + text[number.end() :]])
    texts.pop(text, None)
    return list(texts)
