"""Practice on a simulated customer: scenario, frontier, state, hearing, scoring, the customer. Pure but for the model."""
