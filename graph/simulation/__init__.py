"""A dry run of a procedure: what would happen, what would be asked, who would approve what. No write is ever sent."""
