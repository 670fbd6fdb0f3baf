"""Generated documents, damaged, encoded and compressed: the readers say the same, or the compiled one declines."""

import pytest

from tests.both_readers import python_answer
from tests.native import differences
from tests.native.documents import body

ALL, CHUNK = 2000, 250


@pytest.mark.parametrize("first", range(0, ALL, CHUNK))
def test_damaged_documents_are_read_equally_or_declined(first: int) -> None:
    pytest.importorskip("usp_native")
    reasons, different = differences.differences(first, first + CHUNK)
    assert different == []
    assert reasons.total() == CHUNK
    assert reasons["read"] > CHUNK // 10  # declining everything would be no proof


def test_a_difference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("usp_native")
    read = next(seed for seed in range(100) if differences.difference(body(seed)) is None)

    def wrong(*arguments: object) -> object:
        return python_answer(*arguments)._replace(rows=[])  # type: ignore[arg-type]

    monkeypatch.setattr(differences, "python_answer", wrong)
    assert differences.differences(read, read + 1)[1] == [read]
