"""Do the tests bite? Small faults are put into copies of the package, and the tests that run the line are to find them.

`python -m mutate --sample 120 --seed 0` takes so many at random; what no test notices is printed as before → after.
Nothing here is part of the tests, and the working tree is never changed.
"""
