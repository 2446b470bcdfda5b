"""`rosenblatt rules`."""

from .framework import Answer, Settings, command


@command
def rules(settings: Settings) -> Answer:
    """The learning rules, each with formula, guarantee and paper."""
    from .. import rules as known
    from ..report.rules import rules_text

    return Answer({"rules": [known.get(name).to_dict() for name in known.names()]}, rules_text, headline=False)
