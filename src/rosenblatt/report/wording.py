"""What the library says of its parameters, in the words of the command line."""

import re
from collections.abc import Callable

_WORDS: dict[str, str | Callable[[re.Match[str]], str]] = {
    r"\braise time_limit\b": "give a longer --time-limit",
    r"\ba larger time_limit\b": "a longer --time-limit",
    r"\bseparability\(X, y\)": "rosenblatt check",
    r"\bleast_mistakes\(X, y\)": "rosenblatt suspects",
    r"\bPerceptron\(readout='pocket'\)": "rosenblatt train --readout pocket",
    r"\blearn\(\.\.\., start=run\) goes on": "training goes on from the model",
    r"\ba larger (max_epochs with start=run|max_iter) goes on": "more --epochs go on",
    r"\bgive max_epochs above\b": "give --epochs above",
    r"\b(max_epochs|max_iter)=": "--epochs ",
    r"\brel_gap=": "--rel-gap ",
    r"\b(time_limit|rel_gap|step_tol|batch_size)\b": lambda match: "--" + match[0].replace("_", "-"),
    r"\breadout='averaged' or 'pocket'": "--readout averaged or pocket",
    r"\b(readout|schedule|order|offset|multiclass)='([^']*)'": r"--\1 \2",
    r"\b(readout|schedule|order|offset|multiclass)=": lambda match: f"--{match[1]} ",
    r"^max_epochs must": "--epochs must",
    r"^(eta|patience|seed|tol|beta|C) must": r"--\1 must",
    r"\btakes no (beta|C); leave it out": r"takes no --\1; leave it out",
    r"\bneeds beta,": "needs --beta,",
    r"\bby more than tol\b": "by more than --tol",
    r"\bor tol ends it\b": "or --tol ends it",
    r"\bn_iter_no_change\b": "--patience",
    r"\beta0\b": "--eta",
    r"\b(larger|smaller) (patience|tol|beta|eta)\b": r"\1 --\2",
    r"\ba small eta\b": "a small --eta",
}


def in_commands_words(text: str) -> str:
    """The same sentence as the command line would put it.

    >>> in_commands_words("a larger time_limit may narrow that down")
    'a longer --time-limit may narrow that down'
    """
    for said, put in _WORDS.items():
        text = re.sub(said, put, text)
    return text
