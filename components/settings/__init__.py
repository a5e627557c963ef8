"""Settings: models, and where data stands."""
