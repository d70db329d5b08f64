"""Tests of graph/lint."""
