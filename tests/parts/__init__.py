"""Real small servers that the tests drive."""
