"""Text made for sparse rows: svmlight and Vowpal Wabbit."""
