"""What a captured graph is handed to."""
