"""Pages that several tests begin on."""
