"""A server with many threads keeps few heaps."""

import json
import subprocess
import sys

import pytest

from tests import ROOT

HEAPS = """
import ctypes, json, sys, threading
from xml.etree import ElementTree
if sys.argv[1] == "few":
    from components.shell.memory import keep_few_heaps
    keep_few_heaps()
libc = ctypes.CDLL(None, use_errno=True)
libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
gate = threading.Barrier(9)
def take():
    libc.malloc(1000)
    gate.wait()
    gate.wait()
for _ in range(8):
    threading.Thread(target=take).start()
gate.wait()
libc.open_memstream.restype = ctypes.c_void_p
text, size = ctypes.c_char_p(), ctypes.c_size_t()
stream = ctypes.c_void_p(libc.open_memstream(ctypes.byref(text), ctypes.byref(size)))
libc.malloc_info(0, stream)
libc.fclose(stream)
gate.wait()
print(json.dumps(len(ElementTree.fromstring(text.value).findall("heap"))))
"""


def heaps(how: str) -> int:
    """Return how many heaps a process with eight threads has."""
    ended = subprocess.run(
        [sys.executable, "-c", HEAPS, how], capture_output=True, text=True, cwd=ROOT, check=True
    )
    return int(json.loads(ended.stdout))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc's allocator")
def test_threads_share_two_heaps():
    usual = heaps("usual")
    if usual <= 2:
        pytest.skip("this allocator has few heaps by itself")
    assert heaps("few") == 2
