"""The FX recorder, fake propagation and, later, symbolic shapes."""
