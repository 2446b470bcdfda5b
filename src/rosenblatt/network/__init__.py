"""Boolean functions as two-level networks of perceptrons: AND units first, then one OR unit.

A perceptron is a neuron: a weighted sum, then a step. One alone computes only what a hyperplane separates, and XOR is
not that; two levels compute every boolean function (McCulloch and Pitts 1943). An *implicant* is an AND of literals
that is true only where the function is, written as a string: "1-0" reads "x1, and not x3". A *prime* implicant is one
no literal can be left out of. Each hidden unit is a prime implicant, and the output is the OR of them:

    coding 0/1    AND: Σ ±x_j − (positive literals) + ½ is ½ if all literals hold, else at most −½    OR: Σ h_k − ½
    coding ±1     AND: Σ ±x_j − (literals) + 1 is 1 if all literals hold, else at most −1             the same, h is 0/1

so scores are exact and never 0. The primes are those of Quine ("The problem of simplifying truth functions", 1952) and
McCluskey ("Minimization of Boolean functions", 1956). Choosing the fewest that cover the function is a set cover
(setcover.py): `at_least` is the number of AND units proved to be needed, `minimal` whether it is the number found.

Fewest means among networks of this form, an OR of ANDs. Hidden units that are not ANDs can do with fewer: parity of n
takes 2^(n−1) ANDs, but only n threshold units. And where one perceptron would do, two levels are built all the same.
"""

from .one_unit import Single as Single
from .one_unit import single as single
from .truth_tables import CODINGS as CODINGS
from .truth_tables import MOST_INPUTS as MOST_INPUTS
from .two_level import Network as Network
from .two_level import from_function as from_function
from .two_level import from_truth_table as from_truth_table
