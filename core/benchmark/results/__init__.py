"""What a benchmark found, from the sums of its answers: statistics with intervals, and tables.

found = findings(store, run.id)
board(found.board)   # of `tables`: the leaderboard as a table
"""
