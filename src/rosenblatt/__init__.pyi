# The public names, each once. `__init__.py` reads this list, so that `import rosenblatt` imports nothing else.

from . import cluster as cluster
from . import datasets as datasets
from . import network as network
from . import plots as plots
from . import rules as rules
from .data.hyperplane import Hyperplane as Hyperplane
from .errors import InputError as InputError
from .errors import InseparableError as InseparableError
from .errors import LawBrokenError as LawBrokenError
from .estimators.distributed import DistributedPerceptron as DistributedPerceptron
from .estimators.linear import LinearClassifier as LinearClassifier
from .estimators.loading import from_json as from_json
from .estimators.loading import from_liblinear as from_liblinear
from .estimators.loading import load as load
from .estimators.max_margin import MaxMarginClassifier as MaxMarginClassifier
from .estimators.online import OnlinePerceptron as OnlinePerceptron
from .estimators.perceptron import Perceptron as Perceptron
from .files.door import Examples as Examples
from .files.read import read as read
from .files.stream import stream as stream
from .learning.learn import learn as learn
from .models.model import Model as Model
from .proof.proof import Proof as Proof
from .proof.verify import verify as verify
from .runs.run import Run as Run
from .runs.status import Status as Status
from .separation.clinic.logistic_clinic import logistic_clinic as logistic_clinic
from .separation.clinic.result import Clinic as Clinic
from .separation.decimals import compare_decimals as compare_decimals
from .separation.loop import loop_proof as loop_proof
from .separation.margin.max_margin import max_margin as max_margin
from .separation.margin.result import MaxMargin as MaxMargin
from .separation.mistakes.least_mistakes import least_mistakes as least_mistakes
from .separation.mistakes.result import LeastMistakes as LeastMistakes
from .separation.separability import separability as separability
from .separation.verdict import Verdict as Verdict
from .studies.result import Study as Study
from .studies.study import study as study
from .versions import show_versions as show_versions

__version__: str
