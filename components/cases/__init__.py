"""Case studies: the list, the player, the projector."""
