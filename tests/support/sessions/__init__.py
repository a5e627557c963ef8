"""Small sessions of experts, their screens, and those that an earlier main left."""
