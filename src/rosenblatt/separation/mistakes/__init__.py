"""The fewest mistakes: a hyperplane that makes few, and witnesses that every other makes almost as many."""
