"""axe-core, which says what on a page keeps people out. `python -m tests.support.axe` fetches
it once, so no test reaches outside.
"""

import base64
import hashlib
import io
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
from pathlib import Path

import pytest

from tests import ROOT
from tests.support.browser import DEMANDED

VERSION = "4.14.1"
INTEGRITY = (
    "sha512-FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NP"
    "jCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ=="
)
"""What the npm registry says of this version (`npm view axe-core@4.14.1 dist.integrity`)."""
URL = f"https://registry.npmjs.org/axe-core/-/axe-core-{VERSION}.tgz"
SCRIPT = ROOT / ".venv/axe-core/axe.min.js"
MISSING = (
    f"{SCRIPT} is missing; with the network up, `.venv/bin/python -m tests.support.axe` fetches it"
)
needs_axe = pytest.mark.skipif(not SCRIPT.exists() and not DEMANDED, reason=MISSING)


def packed() -> bytes:
    """Return the package as the registry gives it: through npm where there is one, for it knows
    mirrors and proxies. Raises OSError.
    """
    if not (npm := shutil.which("npm")):
        with urllib.request.urlopen(URL, timeout=30) as answer:
            return bytes(answer.read())
    with tempfile.TemporaryDirectory() as folder:
        asked = subprocess.run(
            [npm, "pack", f"axe-core@{VERSION}"],
            check=False,
            cwd=folder,
            capture_output=True,
            text=True,
        )
        if asked.returncode:
            raise OSError(asked.stderr.strip())
        return (Path(folder) / f"axe-core-{VERSION}.tgz").read_bytes()


def unpacked(package: bytes) -> bytes:
    """Return the script out of the package; raises ValueError if it is not the package we know."""
    if "sha512-" + base64.b64encode(hashlib.sha512(package).digest()).decode() != INTEGRITY:
        raise ValueError("what came is not the package that INTEGRITY in tests/support/axe.py pins")
    with tarfile.open(fileobj=io.BytesIO(package)) as files:
        script = files.extractfile("package/axe.min.js")
        assert script
        return script.read()


def main() -> int:
    """Fetch axe-core; returns 1, with a sentence, where that fails."""
    try:
        script = unpacked(packed())
    except (OSError, ValueError) as error:
        print(
            f"axe-core {VERSION} could not be fetched, so tests/browser/test_accessibility.py"
            f" cannot run: {error}",
            file=sys.stderr,
        )
        return 1
    SCRIPT.parent.mkdir(exist_ok=True)
    SCRIPT.write_bytes(script)
    return 0


if __name__ == "__main__":
    sys.exit(main())
