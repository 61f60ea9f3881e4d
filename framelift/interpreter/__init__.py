"""Symbolic execution: the run loop, inlining, Python's protocols, and one handler per instruction."""
