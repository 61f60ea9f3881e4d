"""Real opcodes of the running Python <-> the canonical set. The only place that asks for the version."""

import sys

if sys.version_info >= (3, 14):
    raise ImportError("framelift does not know the bytecode of Python 3.14 and later")
elif sys.version_info >= (3, 13):
    from framelift.code.dialect.py313 import DIALECT
elif sys.version_info >= (3, 12):
    from framelift.code.dialect.py312 import DIALECT
else:
    from framelift.code.dialect.py311 import DIALECT

NULL_BELOW_CALLABLE: bool = DIALECT.null_below_callable
"""Whether the NULL of a callee stands below the callable on the stack, or above it."""

__all__ = ["DIALECT", "NULL_BELOW_CALLABLE"]
