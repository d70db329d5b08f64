"""What a case costs, measured against the plain ways of doing the same. `python -m tests.bench` writes docs/bench.md."""
