"""What framelift says about itself: counters, logs, explanations."""
