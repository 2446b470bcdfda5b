"""Linear separation, settled: learn linear classifiers with the perceptron family, and measure them.

>>> from rosenblatt import learn
>>> run = learn([[4, 0], [1, 1], [0, 1], [-2, -2]], [1, -1, -1, 1], offset=0)
>>> run.status.name, run.epochs, run.updates, run.hyperplane.w.tolist()
('clean', 2, 3, [1.0, -3.0])
"""

TYPE_CHECKING = False  # as type checkers know it; importing `typing` would be the longest part of a start

__version__ = "0.1.0"

# Where each public name lives. Nothing is imported before it is asked for (PEP 562).
_HOME = {
    "Against": "runs.bounds",
    "Audit": "runs.audit",
    "Bracket": "runs.bracket",
    "Clinic": "separation.clinic.logistic_clinic",
    "Examples": "data.examples",
    "History": "runs.run",
    "Hyperplane": "data.hyperplane",
    "InputError": "errors",
    "InseparableError": "errors",
    "LawBrokenError": "errors",
    "LeastMistakes": "separation.mistakes.least_mistakes",
    "Log": "runs.log",
    "MaxMargin": "separation.margin.max_margin",
    "MaxMarginClassifier": "estimators.perceptron",
    "Model": "models.model",
    "OnlinePerceptron": "estimators.online",
    "Path": "runs.trajectory",
    "Perceptron": "estimators.perceptron",
    "Plan": "runs.plan",
    "Progress": "learning.learn",
    "Proof": "proof.nouns",
    "Run": "runs.run",
    "State": "runs.state",
    "Status": "runs.status",
    "Suspect": "separation.mistakes.least_mistakes",
    "Verdict": "separation.verdict",
    "Vote": "runs.vote",
    "cover": "separation.labelings",
    "datasets": "datasets",
    "dichotomies": "separation.labelings",
    "from_json": "estimators.loading",
    "from_liblinear": "estimators.loading",
    "learn": "learning.learn",
    "least_mistakes": "separation.mistakes.least_mistakes",
    "load": "estimators.loading",
    "logistic_clinic": "separation.clinic.logistic_clinic",
    "loop_proof": "separation.loop",
    "max_margin": "separation.margin.max_margin",
    "network": "network",
    "read": "files.read",
    "readings": "separation.decimals",
    "rules": "rules",
    "separability": "separation.verdict",
    "show_versions": "versions",
    "verify": "proof.verify",
    "visits": "learning.visits",
}

__all__ = [
    "Against",
    "Audit",
    "Bracket",
    "Clinic",
    "Examples",
    "History",
    "Hyperplane",
    "InputError",
    "InseparableError",
    "LawBrokenError",
    "LeastMistakes",
    "Log",
    "MaxMargin",
    "MaxMarginClassifier",
    "Model",
    "OnlinePerceptron",
    "Path",
    "Perceptron",
    "Plan",
    "Progress",
    "Proof",
    "Run",
    "State",
    "Status",
    "Suspect",
    "Verdict",
    "Vote",
    "__version__",
    "cover",
    "datasets",
    "dichotomies",
    "from_json",
    "from_liblinear",
    "learn",
    "least_mistakes",
    "load",
    "logistic_clinic",
    "loop_proof",
    "max_margin",
    "network",
    "read",
    "readings",
    "rules",
    "separability",
    "show_versions",
    "verify",
    "visits",
]

if TYPE_CHECKING:
    from . import datasets, network, rules
    from .data.examples import Examples
    from .data.hyperplane import Hyperplane
    from .errors import InputError, InseparableError, LawBrokenError
    from .estimators.loading import from_json, from_liblinear, load
    from .estimators.online import OnlinePerceptron
    from .estimators.perceptron import MaxMarginClassifier, Perceptron
    from .files.read import read
    from .learning import visits
    from .learning.learn import Progress, learn
    from .models.model import Model
    from .proof.nouns import Proof
    from .proof.verify import verify
    from .runs.audit import Audit
    from .runs.bounds import Against
    from .runs.bracket import Bracket
    from .runs.log import Log
    from .runs.plan import Plan
    from .runs.run import History, Run
    from .runs.state import State
    from .runs.status import Status
    from .runs.trajectory import Path
    from .runs.vote import Vote
    from .separation.clinic.logistic_clinic import Clinic, logistic_clinic
    from .separation.decimals import readings
    from .separation.labelings import cover, dichotomies
    from .separation.loop import loop_proof
    from .separation.margin.max_margin import MaxMargin, max_margin
    from .separation.mistakes.least_mistakes import LeastMistakes, Suspect, least_mistakes
    from .separation.verdict import Verdict, separability
    from .versions import show_versions


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'rosenblatt' has no attribute {name!r}")
    from importlib import import_module

    try:
        module = import_module(f".{_HOME[name]}", __name__)
    except ImportError as error:
        from .errors import install, package_of

        missing = (error.name or "").partition(".")[0]
        if missing == __name__ or not (missing == "sklearn" or isinstance(error, ModuleNotFoundError)):
            raise  # a fault of ours
        needed = f"rosenblatt.{name} needs {package_of(missing)}"
        old = "" if isinstance(error, ModuleNotFoundError) else ", newer than what is installed"
        raise type(error)(f"{needed}{old}: {install(missing)}", name=error.name) from None
    value = module if name == _HOME[name] else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
