"""Creating, configuring, working on, forking and extending runs.

    runner = Runner(Workshop(settings.read()))
    run = begin(runner, "chain", ChainInputs(topic="sleep"), "Sleep", models={"main": "builtin"})
    runner.work(run.id)

`catalogue` knows every method, and nothing else compares a method's name: ask its entry. `planning`
makes inputs of what was typed, `beginning` is the one door through which runs begin, `workshop`
freezes their configuration and lays out a desk, `runner` works on them. `branching` and `extending`
make runs that go on from others; `estimates` and `forecast` say beforehand what that takes.
"""
