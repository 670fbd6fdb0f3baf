import doctest
from types import ModuleType

import pytest

from usp.values import dates, numbers, text, urls


@pytest.mark.parametrize("module", [dates, numbers, text, urls], ids=lambda module: module.__name__)
def test_the_examples_in_the_docstrings_are_true(module: ModuleType) -> None:
    results = doctest.testmod(module)
    assert results.attempted > 3
    assert results.failed == 0
