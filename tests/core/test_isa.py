"""The same bits on every CPU: AVX2, plain x86-64 and ARM."""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from effort import LONG

TIME_BUDGET = 120
pytestmark = pytest.mark.slow

HERE = Path(__file__).resolve().parent
FLAGS = ["-std=c++17", "-O2", "-ffp-contract=off", "-Wno-psabi", "-pthread"]
ON_X86 = platform.machine() == "x86_64"
LEARN = (
    "import sys, hashlib; import numpy as np; from rosenblatt import learn, _core\n"
    "rng = np.random.default_rng(0); X = rng.normal(size=(500, 30)); y = np.where(X[:, 0] > 0.3, 1, -1)\n"
    "h = hashlib.sha256()\n"
    "for rule in ('perceptron', 'passive-aggressive', 'delta', 'coin', 'scinol'):\n"
    "    for rows in (X, X.astype(np.float32)):\n"
    "        eta = 0.001 if rule == 'delta' else 1.0\n"
    "        h.update(learn(rows, y, rule=rule, eta=eta, max_epochs=4, order='shuffled').state.weights.tobytes())\n"
    "print(_core.isa(), h.hexdigest())"
)


ARM = "aarch64-linux-gnu-g++"
COMPILERS = {"native": [shutil.which(os.environ.get("CXX", "g++")) or "c++"]}
if LONG:
    COMPILERS["arm"] = [ARM, "-static"]


def printed(*command: str | Path, **environment: str) -> str:
    run = subprocess.run(command, capture_output=True, check=True, text=True, env={**os.environ, **environment})
    return run.stdout


@pytest.fixture(scope="module")
def compiling(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[subprocess.Popen[bytes], Path]]:
    """All the compilers there are, at work at the same time."""
    begun = {}
    for name, (compiler, *flags) in COMPILERS.items():
        program = tmp_path_factory.mktemp(name) / "digest"
        if shutil.which(compiler):
            command = [compiler, *FLAGS, *flags, str(HERE / "core_digest.cpp"), "-o", str(program)]
            begun[name] = subprocess.Popen(command), program
    return begun


def finished(job: tuple[subprocess.Popen[bytes], Path]) -> Path:
    assert job[0].wait() == 0
    return job[1]


@pytest.fixture(scope="module")
def native(compiling: dict[str, tuple[subprocess.Popen[bytes], Path]]) -> Path:
    return finished(compiling["native"])


@pytest.fixture(scope="module")
def arm(compiling: dict[str, tuple[subprocess.Popen[bytes], Path]]) -> Path:
    return finished(compiling["arm"])


def test_threads_change_nothing_in_the_core_either(native: Path) -> None:
    digests = {line.split()[0] + line.split()[1]: line.split()[3] for line in printed(native).splitlines()}
    assert len(digests) == 48
    for name, digest in digests.items():
        if "-threads" in name:
            assert digest == digests[name.replace("-threads", "")]


@pytest.mark.skipif(not ON_X86, reason="x86-64 has two versions of the loops")
def test_avx2_and_plain_x86_64_give_the_same_bits(native: Path) -> None:
    assert printed(native) == printed(native, ROSENBLATT_ISA="portable")
    fast, plain = printed(sys.executable, "-c", LEARN), printed(sys.executable, "-c", LEARN, ROSENBLATT_ISA="portable")
    assert plain.split() == ["portable", fast.split()[1]]


@pytest.mark.needs("qemu-x86_64")
@pytest.mark.skipif(not ON_X86, reason="runs this machine's own Python")
def test_the_installed_module_runs_on_a_cpu_without_avx() -> None:
    old = printed("qemu-x86_64", "-cpu", "Nehalem", sys.executable, "-c", LEARN)
    assert old.split() == ["portable", printed(sys.executable, "-c", LEARN).split()[1]]


@pytest.mark.long  # to compile for it; .ci/run does
@pytest.mark.needs("qemu-aarch64", ARM)
def test_arm_gives_the_same_bits(native: Path, arm: Path) -> None:
    assert printed("qemu-aarch64", arm) == printed(native)
