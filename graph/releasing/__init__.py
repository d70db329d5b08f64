"""Released procedures: how they stand in for the files, who may release them, and what a release changes, in words."""
