"""The faces: scikit-learn's estimators, an online learner in River's manner, and loading either."""
