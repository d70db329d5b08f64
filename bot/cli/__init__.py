"""The command line: the same engine without Slack."""
