"""What framelift says about itself: records of what was captured, and their texts.

Records are made while compiling and hold no object of the user's; texts are made when somebody asks.
"""
