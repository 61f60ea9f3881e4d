"""How to reach an object again from the arguments and the function of a call."""
