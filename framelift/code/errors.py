"""What reading and writing code objects can complain about."""

from framelift.errors import FrameliftError


class CodeError(FrameliftError):
    """A code object, or an edited list of instructions, that cannot be read or written."""
