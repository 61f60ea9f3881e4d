"""What known callables mean: one file per modelled module."""
