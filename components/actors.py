"""The three actors: one colour, icon and name each, the same on every screen."""
ACTORS = {
    "optimizer": ("orange", ":material/rate_review:", "Optimizer", "#d9822b"),
    "generator": ("blue", ":material/draw:", "Generator", "#2f7fc1"),
    "discriminator": ("violet", ":material/balance:", "Discriminator", "#8a5fbf"),
}


def head(actor: str, does: str) -> str:
    """Return the Markdown heading of an actor's column."""
    colour, icon, name, _ = ACTORS[actor]
    return f":{colour}-badge[{icon} {name}] {does}"
