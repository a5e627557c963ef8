"""Files that a person names are read within bounds, and nothing else is read."""

import os
import tracemalloc

import pytest

from core.errors import BadInput
from core.files import LARGEST, LONGEST, read_bytes, read_text


def test_a_file_is_read_up_to_its_bound(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"12345")
    assert read_bytes(file, 5) == b"12345"
    with pytest.raises(BadInput, match=r"file has 0\.0 MB; 0 MB are read at most\. Split"):
        read_bytes(file, 4)


@pytest.mark.parametrize(("read", "most"), [(read_bytes, LARGEST), (read_text, LONGEST)])
def test_no_more_than_the_bound_is_read_of_a_larger_file(tmp_path, read, most):
    file = tmp_path / "file"
    with file.open("wb") as written:
        written.truncate(10**11)
    tracemalloc.start()
    try:
        with pytest.raises(BadInput, match=f"has 100,000.0 MB; {most // 1_000_000} MB are read"):
            read(file)
        assert tracemalloc.get_traced_memory()[1] < 2 * most
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("read", [read_bytes, read_text])
def test_a_device_and_a_pipe_are_no_files(tmp_path, read):
    pipe, link = tmp_path / "pipe", tmp_path / "link.csv"
    os.mkfifo(pipe)
    link.symlink_to("/dev/zero")
    for path in (pipe, link):
        with pytest.raises(BadInput, match="is a device or a pipe"):
            read(path)
    for path, why in ((tmp_path, "Is a directory"), (tmp_path / "none", "No such file")):
        with pytest.raises(BadInput, match=f"cannot be read \\({why}"):
            read(path)


def test_lines_of_a_text_end_alike_and_other_text_is_said_where(tmp_path):
    file = tmp_path / "file"
    file.write_bytes("é\r\nb\rc\n".encode())
    assert read_text(file) == "é\nb\nc\n"
    file.write_bytes(b"a\nb\n\xff")
    with pytest.raises(BadInput, match=r"no text in UTF-8 \(line 3\)"):
        read_text(file)
