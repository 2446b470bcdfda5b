"""The reference: every help page on one page. `python -m rosenblatt.cli.reference > docs/commands.md` writes it."""

import click

from .group import SECTIONS, group

_TOP = """\
# Commands

Written by `python -m rosenblatt.cli.reference > docs/commands.md`; the tests compare. What `--json` prints is in
[json.md](json.md).

| exit code | means |
|---|---|
| 0 | done; of `check`, separable; of `verify`, the proof holds |
| 1 | the answer is no: `check` and `margin`, not separable; `verify`, the proof does not hold |
| 2 | bad input or usage: one line on standard error, `file:line:column: what is wrong; what was expected` |
| 3 | undecided within the time limit; of `train`, `--require-clean` not met |
| 70 | a fault of rosenblatt; `-v` shows the traceback |
| 130, 143 | interrupted (Ctrl-C, SIGINT), terminated (SIGTERM) |
| 141 | nobody reads standard output any more, as in `rosenblatt … \\| head -1` |

Results go to standard output, everything else to standard error. `NO_COLOR` and `TERM=dumb` turn bold text off;
`ROSENBLATT_NUM_THREADS` is the number of threads where `--threads` does not say. `rosenblatt completion` prints the
script that makes bash, zsh or fish complete commands, options and file names.
"""


def reference() -> str:
    """The text of the page."""
    top = click.Context(group, info_name="rosenblatt", terminal_width=80, **group.context_settings)
    pages = [_page("rosenblatt", group.get_help(top), "##")]
    for title, names in SECTIONS.items():
        pages.append(f"## {title}\n")
        for name in names:
            if (command := group.get_command(top, name)) is not None:
                own = click.Context(command, top, info_name=name)
                pages.append(_page(f"rosenblatt {name}", command.get_help(own)))
    return "\n".join([_TOP, *pages])


def _page(title: str, text: str, level: str = "###") -> str:
    lines = "\n".join(line.rstrip() for line in text.splitlines())
    return f"{level} `{title}`\n\n```text\n{lines}\n```\n"


if __name__ == "__main__":
    print(reference(), end="")
