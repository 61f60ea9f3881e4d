"""Symbolic values: what stands on the tracer's stack in place of the user's objects."""
