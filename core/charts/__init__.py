"""What pictures share: where papers stand in time, and how a picture becomes a file."""
