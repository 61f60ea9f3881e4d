"""Rebuilding values and effects as bytecode."""
