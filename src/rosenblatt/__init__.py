"""Linear separation, settled: learn linear classifiers with the perceptron family, measure them, and prove it.

X are rows (an array, a sparse matrix, a data frame), y their labels. What to call:

    read("table.csv", label="ill")     a file or a frame, as Examples: in the place of X and y in the functions below
    stream("large.svm")                files larger than memory, likewise: for learn, separability and max_margin
    cluster.learn(client, X, y)        rows on a Dask cluster; DistributedPerceptron has the manners of scikit-learn
    study(X, y)                        everything at once, and a report: study(...).save(folder)
    separability(X, y)                 can a hyperplane separate them? Complete, quasi-complete separation or overlap
    max_margin(X, y)                   the widest gap between two classes
    least_mistakes(X, y)               the fewest rows any hyperplane gets wrong, and which labels to doubt
    logistic_clinic(X, y)              a logistic regression that does not converge: what is infinite, and why
    verify(proof, X, y)                a proof, checked by itself in exact arithmetic
    learn(X, y)                        one run of the perceptron or its kin, round by round; rules has them all
    LinearClassifier().fit(X, y)       the best linear model, with nothing to set; it saves itself: model.save(path)
    load("some.model")                 a model from a file

Perceptron, MaxMarginClassifier and OnlinePerceptron have the manners of scikit-learn and River; datasets has data to
try things on, plots has figures, network has perceptrons that compute. Each has a page in docs/; on the command line,
`rosenblatt --help` is the map.

>>> from rosenblatt import learn, separability
>>> X, y = [[4, 0], [1, 1], [0, 1], [-2, -2]], [1, -1, -1, 1]
>>> print(separability(X, y).kind, learn(X, y).status.name)
separable clean
"""

__version__ = "0.1.0"


def _homes() -> dict[str, str]:
    """Where each public name lives: the imports of `__init__.pyi`, which lists each of them once, for editors too."""
    homes = {}
    with open(f"{__file__.removesuffix('c')}i", encoding="utf-8") as stub:
        for line in stub:
            if line.startswith("from ."):
                _, module, _, name, *_ = line.split()
                homes[name] = module.removeprefix(".")
    return homes


# Nothing is imported before it is asked for (PEP 562).
def __getattr__(name: str) -> object:
    if name.startswith("__") and name != "__all__":  # what Python asks of every module
        raise AttributeError(f"module 'rosenblatt' has no attribute {name!r}")
    homes = _homes()
    if name == "__all__":
        return [*homes, "__version__"]
    if name not in homes:
        raise AttributeError(f"module 'rosenblatt' has no attribute {name!r}")
    from importlib import import_module

    try:
        home = import_module(f".{homes[name] or name}", __name__)
    except ImportError as error:
        from .errors import install, package_of

        missing = (error.name or "").partition(".")[0]
        if missing == __name__ or not (missing == "sklearn" or isinstance(error, ModuleNotFoundError)):
            raise  # a fault of ours
        needed = f"rosenblatt.{name} needs {package_of(missing)}"
        absent = isinstance(error, ModuleNotFoundError) and error.name == missing
        old = "" if absent else ", newer than what is installed"
        raise type(error)(f"{needed}{old}: {install(missing)}", name=error.name) from None
    value = getattr(home, name) if homes[name] else home
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*_homes(), "__version__"])
