"""Every public option has a test that shows its effect: one called ``test_OPTION__what_it_does``."""

from collections.abc import Iterable, Mapping


def untested(options: Iterable[str], tests: Mapping[str, object]) -> list[str]:
    """The options without such a test."""
    return [option for option in options if not any(name.startswith(f"test_{option}__") for name in tests)]
