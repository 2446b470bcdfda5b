"""Files of version 2: what they said of columns that nobody had measured is not said any more."""

from rosenblatt.models.version2 import upgraded


def header(then):
    """The header alone, without what every header has since."""
    now, tensors = upgraded(then, {})
    assert tensors == {}
    assert now.pop("choice") is None
    return now


def test_a_plateau_of_then_is_not_told_to_scale():
    def status(*keys):
        return {"status": {"key": "plateau", "values": {}, "steps": [{"key": key, "values": {}} for key in keys]}}

    then = status("predicted-wrong", "scale-or-check", "larger-patience")
    assert header(then) == status("predicted-wrong", "check", "larger-patience")
    assert header(status("predicted-wrong", "scale", "average")) == status("predicted-wrong", "average")
    assert then == status("predicted-wrong", "scale-or-check", "larger-patience")  # what was read stays as it was
    for odd in ({}, {"status": 3}, {"status": {"steps": None}}, {"status": {"steps": [3]}}):
        assert header(odd) == odd  # whether it makes sense is asked when it is read
