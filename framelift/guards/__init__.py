"""Facts about the user's objects, the ledger that records them, and the specification handed to the native core."""
