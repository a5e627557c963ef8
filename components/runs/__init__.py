"""What the screens of all runs share: state, steps, waiting, forks, estimates, export."""
