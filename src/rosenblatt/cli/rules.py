"""`rosenblatt rules`."""

from .framework import Answer, Settings, command


@command
def rules(settings: Settings) -> Answer:
    """The learning rules, each with formula, guarantee and paper."""
    from ..report.rules import rules_report, rules_text

    return Answer(rules_report(), rules_text, headline=False)
