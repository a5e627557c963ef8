"""A database that another process has locked."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=30)
connection.execute(sys.argv[2])
print("held", flush=True)
sys.stdin.readline()
"""


@contextmanager
def locked(folder: Path, how: str = "BEGIN IMMEDIATE") -> Iterator[subprocess.Popen[str]]:
    """Have another process hold the database's lock for as long as the block goes on."""
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, folder / "foundry.db", how],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout
    assert child.stdout.readline() == "held\n"
    try:
        yield child
    finally:
        child.kill()
        child.wait()


def until_resumed(cli, run: str):
    """Resume, once the end of the run that was owed to the store is there."""
    for _ in range(100):
        code, document, err = cli("resume", run)
        if code != 2:
            break
        time.sleep(0.1)
    return code, document, err
