"""Parameters that change over the games."""

from __future__ import annotations

import numpy as np
import pytest

from petteia.core.errors import UsageError
from petteia.learn.schedules import schedule


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (0.25, [0.25, 0.25, 0.25, 0.25, 0.25]),
        ("1", [1, 1, 1, 1, 1]),
        ("0.5,0.1@2", [0.5, 0.5, 0.1, 0.1, 0.1]),
        ("1,0.5@1,0@4", [1, 0.5, 0.5, 0.5, 0]),
        ("1..0", [1, 0.75, 0.5, 0.25, 0]),
        ("0..1e-2", [0, 0.0025, 0.005, 0.0075, 0.01]),
    ],
)
def test_values_over_five_games(text: str | float, values: list[float]) -> None:
    found = schedule(text, "epsilon")
    np.testing.assert_allclose(found.over(0, 5, 5), values)
    parts = [found.over(0, 2, 5), found.over(2, 3, 5)]
    np.testing.assert_array_equal(np.concatenate(parts), found.over(0, 5, 5))
    assert schedule(str(found), "epsilon") == found


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (0.123456789, "0.123456789"),
        ("0.1234567..1e-7", "0.1234567..1e-07"),
        ("0.5,0.00000012345678@7", "0.5,1.2345678e-07@7"),
        ("0.0100..1e-3", "0.01..0.001"),
        (1, "1"),
        ("0.00001", "1e-05"),
    ],
)
def test_no_digit_is_lost_in_text(text: str | float, written: str) -> None:
    found = schedule(text, "alpha")
    assert str(found) == written
    assert schedule(written, "alpha") == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "0.5,",
        "0.5,0.1",
        "0.5@3",
        "0.5,0.1@0",
        "0.5,0.1@9,0.2@9",
        "0.5..",
        "0.1..0.2..0.3",
        "-0.1",
        "1.5",
        "nan",
        "inf",
        "1e400",
        "9" * 5000,
        "0.5,0.1@" + "9" * 5000,
        "0.5,0.1@1" + "0" * 18,
        "0.5 ",
        "0,5",
        "0..2",
        "٠.٥",
        float("nan"),
        -1.0,
        2,
    ],
)
def test_refused_in_one_line(text: str | float) -> None:
    with pytest.raises(UsageError, match=r"^alpha") as error:
        schedule(text, "alpha")
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 200
