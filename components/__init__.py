"""What draws: components take records and return the person's wish."""
