"""Dialogues as tests of procedures: their files, how they are played, and what they cover."""
