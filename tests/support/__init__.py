"""Fakes, loopback servers, stored runs and screens that tests share."""
