"""What the core found wrong with a line, in words."""

from ...errors import InputError, shown

_NUMBER = "expected a number such as 1, -0.5 or 2e-3"
_ITEM = "expected index:value, such as 3:0.5"

_SAID = {
    "label": f"label {{}}; {_NUMBER}",
    "label overflow": "label {} is beyond the range of float64; expected a finite number",
    "item": f"{{}}; {_ITEM}",
    "index": "index {}; expected at most 2147483647",
    "order": "index {} does not come after the one before it; expected indices that rise within a row",
    "zero": "index 0, though indices count from 1 (base=1); expected 1 or more",
    "value": f"value {{}}; {_NUMBER}",
    "value overflow": "value {} is beyond the range of float64; expected a finite number",
    "control": "a control character, {}; expected text",
    "long": "the line is longer than 64 MiB; expected a row to a line",
    "bar": "no '|'; expected label | feature:value …",
    "importance": "importance {}; expected a finite number that is 0 or more",
    "head": "{}; expected label importance | feature:value …, with no other base than 0",
    "name": "a feature without a name; expected name or name:value",
    "scale": f"namespace {{}}; its scale behind ':' is no number; {_NUMBER}",
    "text": "feature {} is not UTF-8 text; expected a name",
}


def fault(name: str, what: str, line: int, column: int, token: bytes) -> InputError:
    """The error for a fault: `file:line:column: what is wrong; expected what`."""
    if what in ("index", "order"):
        token = token.split(b":")[0]
    text = token.decode("utf-8", "replace")
    seen = text if text.isascii() and text.isalnum() and len(text) < 30 else shown(text)
    return InputError(f"{name}:{line}:{column}: {_SAID[what].format(seen)}")
