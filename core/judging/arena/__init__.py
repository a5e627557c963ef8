"""The arena: methods meet in pairs on every topic, and models and people say whose text is better.

`contests` says who meets whom, `competition` has models judge and `filing` keeps what they say;
`ballots` reads all votes as numbers, `results` rates the methods and their judges, `tables` and
`sheet` show it.
"""
