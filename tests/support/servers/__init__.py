"""Loopback servers that answer like the services that Foundry asks."""
