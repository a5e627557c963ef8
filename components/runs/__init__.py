"""What every run's screen shares: how a run stands (`states`), its steps, what it waits for, its
forks and files; and what every start form shares (`starting`, `asking`, `models`).
"""
