"""The faces: scikit-learn's estimators, an online learner in the manner of River, and models from files as either."""
