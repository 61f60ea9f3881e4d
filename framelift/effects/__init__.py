"""The log of mutations to replay, in program order."""
