"""A scratch copy of the project, whose Python imports the copy: also in processes that the tests start."""

import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRATCH = ROOT / "build" / "mutate"
PACKAGE = Path("src/rosenblatt")

# Python runs this at every start. The editable install redirects imports to the working tree: not here.
SITE = """
import os, sys
sys.meta_path[:] = [one for one in sys.meta_path if not type(one).__name__.startswith("ScikitBuild")]
if os.environ.get("MUTATE_COVER") and os.environ.get("MUTATE_TEST"):
    from mutate.plugin import follow
    follow()
"""


class Tree:
    """One copy; a fault at a time is put into it, and taken out again."""

    def __init__(self, number: int) -> None:
        self.folder = SCRATCH / f"tree-{number}"
        self.fill()

    def fill(self) -> None:
        """Bring it up to date with the working tree; files that are equal stay, and so do their compiled forms."""
        command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
        wanted = {name for name in names if name and (ROOT / name).is_file()}
        listed = self.folder / "files.json"
        for name in set(json.loads(listed.read_text()) if listed.exists() else ()) - wanted:
            (self.folder / name).unlink(missing_ok=True)
        for name in wanted:
            new = (ROOT / name).read_bytes()
            to = self.folder / name
            if not to.exists() or to.read_bytes() != new:
                to.parent.mkdir(parents=True, exist_ok=True)
                to.write_bytes(new)
        listed.write_text(json.dumps(sorted(wanted)))
        (self.folder / "site").mkdir(exist_ok=True)
        (self.folder / "site" / "sitecustomize.py").write_text(SITE)
        core = core_of_the_working_tree()
        shutil.copy2(core, self.folder / PACKAGE / core.name)

    def python(self, arguments: list[str], timeout: float, **environment: str) -> tuple[int | None, str]:
        """Run Python in the copy: its exit code (None after the timeout) and what it printed."""
        paths = os.pathsep.join(str(self.folder / name) for name in ("site", "src", "."))
        more = {"PYTHONPATH": paths, "PYTHONHASHSEED": "0", "MUTATE_COVER": "", "MUTATE_TEST": "", **environment}
        begun = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=self.folder,
            env={**os.environ, **more},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,  # so that what the tests started ends with them
        )
        try:
            return _ended(begun, timeout)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(begun.pid, signal.SIGKILL)

    def write(self, file: str, text: str) -> None:
        """Put a file of the package there, and forget its compiled form: its date may be the same."""
        path = self.folder / PACKAGE / file
        path.write_text(text, encoding="utf-8")
        for stale in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
            stale.unlink()


def _ended(process: "subprocess.Popen[str]", timeout: float) -> tuple[int | None, str]:
    try:
        said, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        said, _ = process.communicate()
        return None, said
    return process.returncode, said


def core_of_the_working_tree() -> Path:
    """The compiled core, as `make build` left it."""
    from rosenblatt import _core

    return Path(_core.__file__)
