"""What stands around every screen: the frame, the address, texts, services, and small widgets."""
