"""Judging ideas: by checklist (`checklist`), by rank (`ranking`), in pairs (`selection`, `arena`).

`votes`, `ratings` and `health` say what pairs come to: who stands where, and which judge to trust.
"""
