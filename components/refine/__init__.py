"""Refinement: the form, and the rounds of generator, optimizer and discriminator."""
