"""`python -m rosenblatt`: the version, the rules, the versions around it."""

import argparse
import sys
import textwrap

from . import __version__


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit code is 0, or 2 for bad usage."""
    parser = argparse.ArgumentParser(
        prog="rosenblatt",
        description="The perceptron family of linear classifiers. Its work is done from Python: see help(rosenblatt).",
    )
    parser.add_argument("--version", action="version", version=f"rosenblatt {__version__}")
    parser.add_argument("--versions", action="store_true", help="versions of everything that matters here")
    parser.add_argument("--rules", action="store_true", help="the learning rules, with formula and guarantee")
    chosen = parser.parse_args(arguments)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a terminal without ′ or γ still gets the rest
    if chosen.versions:
        from .versions import show_versions

        show_versions()
    elif chosen.rules:
        from . import rules

        for rule in map(rules.get, rules.names()):
            print(rule.name)
            for text in (rule.formula, rule.guarantee, rule.paper):
                print(textwrap.fill(text, 79, initial_indent="    ", subsequent_indent="      "))
    else:
        parser.print_help()
    return 0


if __name__ == "__main__":
    sys.exit(main())
