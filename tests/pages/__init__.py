"""What pages show, without a browser."""
