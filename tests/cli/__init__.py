"""What the command line answers."""
