"""What a server is set up with: the container, the proxy in front of it, the service of systemd."""

import http.client
import ipaddress
import json
import os
import re
import shlex
import shutil
import ssl
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from tests import ROOT
from tests.support.ports import kept_port

DEPLOY = ROOT / "assets" / "deploy"
PASSWORD = "a fine pass phrase"
SITE = "localhost"


def compose() -> dict:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))


def test_the_program_is_reached_through_the_proxy_alone_which_is_believed_alone():
    foundry, proxy = (compose()["services"][name] for name in ("foundry", "proxy"))
    (network,) = compose()["networks"]["inside"]["ipam"]["config"]
    address = proxy["networks"]["inside"]["ipv4_address"]
    assert foundry["environment"]["FORWARDED_ALLOW_IPS"] == address
    assert ipaddress.ip_address(address) in ipaddress.ip_network(network["subnet"])
    assert "ports" not in foundry
    assert proxy["environment"]["FOUNDRY_UPSTREAM"] == "foundry:8501"


def test_it_has_no_rights_it_does_not_need_and_time_to_end():
    foundry = compose()["services"]["foundry"]
    assert (foundry["read_only"], foundry["cap_drop"]) == (True, ["ALL"])
    assert foundry["security_opt"] == ["no-new-privileges:true"]
    assert foundry["stop_grace_period"] == "15s"
    assert ":?" in foundry["environment"]["FOUNDRY_PASSWORD"], "without one nothing starts"
    for service in compose()["services"].values():
        assert set(service["logging"]["options"]) == {"max-size", "max-file"}
    kept = {line.split(":")[1] for line in foundry["volumes"]}
    assert kept == {"/data", foundry["environment"]["FOUNDRY_BACKUPS"]}
    recipe = (ROOT / "Dockerfile").read_text("utf-8")
    assert re.search(r"^USER \d+:\d+$", recipe, re.MULTILINE)
    assert recipe.startswith("# ")
    assert "ARG BASE=python:3.12-slim\n" in recipe


def test_the_container_s_torch_is_that_of_the_requirements():
    (command,) = re.findall(r"\$\((grep .*?)\)", (ROOT / "Dockerfile").read_text("utf-8"))
    words = [word.replace("/tmp/", f"{ROOT}/") for word in shlex.split(command)]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert re.fullmatch(r"torch==[\d.]+\n", said)


def test_the_image_holds_what_the_program_is_and_nothing_else():
    let_in = {
        line.removeprefix("!").split("/")[0]
        for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines()
        if line.startswith("!")
    }
    assert {"app.py", "pages", "components", "core", "assets", ".streamlit"} <= let_in
    assert not let_in & {"tests", ".git", ".venv"}
    assert all((ROOT / name).exists() for name in let_in)


@pytest.mark.skipif(not shutil.which("caddy"), reason="no caddy here")
@pytest.mark.parametrize("more", ["", "local_certs"])
def test_the_proxy_s_configuration_is_valid(more):
    environ = {"FOUNDRY_SITE": "x.example", "FOUNDRY_UPSTREAM": "foundry:8501"}
    done = subprocess.run(
        ["caddy", "adapt", "--validate", "--config", DEPLOY / "Caddyfile"],
        env={**os.environ, **environ, "FOUNDRY_CADDY": more},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (server,) = json.loads(done.stdout)["apps"]["http"]["servers"].values()
    assert "logs" not in server, "what opens a seat stands in addresses"
    logs = json.loads(done.stdout)["logging"]["logs"]
    assert logs == {"default": {"exclude": ["http.log.error"]}}, "nor of what is not passed on"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd here")
def test_the_service_is_one_systemd_understands(tmp_path):
    unit = tmp_path / "foundry.service"
    text = (DEPLOY / "foundry.service").read_text("utf-8")
    program = "/opt/idea-foundry/.venv/bin/streamlit"
    assert f"ExecStart={program} run app.py " in text
    unit.write_text(text.replace(program, shutil.which("true") or ""))
    done = subprocess.run(
        ["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False
    )
    said = [line for line in done.stderr.splitlines() if "foundry" in line]
    assert (done.returncode, said) == (0, [])


# -- the container itself --------------------------------------------------------------------------

TOOLS = ("podman", "debootstrap", "caddy")
CAN_BUILD = all(map(shutil.which, TOOLS)) and os.geteuid() == 0
HERE = (
    "/etc/pip.conf",
    "/etc/xdg/pip",
    "/etc/ssl/certs",
    "/opt/wheels",
    "/opt/pypi",
    "/opt/pypi-more",
)
"""Where a machine may have a mirror of packages, and the authorities that it trusts."""
CONFINED = (
    *("--read-only", "--tmpfs=/tmp", "--cap-drop=ALL", "--security-opt=no-new-privileges"),
    # Those that podman asks for may be more than this machine lets anybody have.
    *("--ulimit=nofile=10000:10000", "--ulimit=nproc=4000:4000"),
)
BASE, IMAGE = "localhost/foundry-base", "localhost/foundry-tried"


def podman(*words: str | Path, seconds: int = 1_800, check: bool = True) -> str:
    # crun refuses the mixed control groups of some machines.
    runtime = ("--runtime=runc",) if shutil.which("runc") else ()
    done = subprocess.run(
        ["podman", *runtime, *words], capture_output=True, text=True, check=False, timeout=seconds
    )
    assert done.returncode == 0 or not check, done.stderr[-3_000:] + done.stdout[-3_000:]
    return done.stdout.strip()


@pytest.fixture(scope="module")
def image() -> str:
    """Build the image from a Debian that is made here: no registry of images is asked."""
    if not podman("images", "-q", BASE, check=False):
        with tempfile.TemporaryDirectory(prefix="foundry-base-") as folder:
            root = Path(folder) / "root"
            subprocess.run(
                [
                    *("debootstrap", "--variant=minbase"),
                    *("--include=python3,python3-venv,ca-certificates", "bookworm", root),
                ],
                check=True,
                capture_output=True,
            )
            tar = Path(folder) / "base.tar"
            subprocess.run(["tar", "-C", root, "-cf", tar, "."], check=True)
            podman("import", tar, BASE)
    given = [word for path in HERE if Path(path).exists() for word in ("-v", f"{path}:{path}:ro")]
    links = [
        f"--env={name}={os.environ[name]}" for name in ("PIP_FIND_LINKS",) if name in os.environ
    ]
    podman(
        *(
            "build",
            "--format=docker",
            "--isolation=chroot",
            "--network=host",
            f"--build-arg=BASE={BASE}",
        ),
        *("--build-arg=TORCH_INDEX=https://pypi.org/simple", *given, *links, "-t", IMAGE, ROOT),
    )
    return IMAGE


@contextmanager
def container(image: str, name: str, port: int, *more: str) -> Iterator[str]:
    """Run the image as the compose file does, on this machine's loopback alone."""
    podman("rm", "-f", "-i", name)
    podman(
        *("run", "-d", "--name", name, "--network=host", *CONFINED),
        *("-v", f"{name}:/data", "-e", f"FOUNDRY_PASSWORD={PASSWORD}", *more, image),
        *("streamlit", "run", "app.py", "--server.address=127.0.0.1", f"--server.port={port}"),
    )
    try:
        for _ in range(600):
            if podman("exec", name, "python", "-c", HEALTH.format(port), check=False) == "ok":
                break
            time.sleep(0.2)
        else:
            raise AssertionError(podman("logs", name))
        yield name
    finally:
        podman("rm", "-f", "-i", name)


EXIT_CODE = "--format={{.State.ExitCode}}"
HEALTH = (
    "from urllib.request import urlopen;"
    " print(urlopen('http://127.0.0.1:{}/_stcore/health').read().decode())"
)


@contextmanager
def proxy(folder: Path, upstream: int, port: int) -> Iterator[ssl.SSLContext]:
    """Run the proxy with its own authority, which the context that is given trusts."""
    environ = {
        "FOUNDRY_SITE": f"https://{SITE}:{port}",
        "FOUNDRY_UPSTREAM": f"127.0.0.1:{upstream}",
        "FOUNDRY_CADDY": "local_certs\nskip_install_trust\nauto_https disable_redirects",
        "XDG_DATA_HOME": str(folder / "caddy"),
        "XDG_CONFIG_HOME": str(folder / "caddy"),
    }
    with (folder / "caddy.log").open("wb") as log:
        child = subprocess.Popen(
            ["caddy", "run", "--config", DEPLOY / "Caddyfile"],
            env={**os.environ, **environ},
            stdout=log,
            stderr=log,
        )
    root = folder / "caddy/caddy/pki/authorities/local/root.crt"
    try:
        for _ in range(200):
            if root.exists():
                break
            time.sleep(0.1)
        yield ssl.create_default_context(cafile=str(root))
    finally:
        child.terminate()
        child.wait(20)


@pytest.mark.soak
@pytest.mark.skipif(not CAN_BUILD, reason=f"as root with {', '.join(TOOLS)} only")
def test_the_container_serves_through_the_proxy_keeps_its_data_and_ends_in_time(image, tmp_path):
    (inner, _held), (outer, _too) = kept_port(), kept_port()
    podman("volume", "rm", "-f", "foundry-tried", check=False)
    with container(image, "foundry-tried", inner) as name, proxy(tmp_path, inner, outer) as trust:

        def run(*words: str, check: bool = True) -> str:
            return podman("exec", name, *words, check=check)

        assert run("id", "-u") == "10001"
        for path in ("/opt/idea-foundry/x", "/usr/x", "/etc/x"):
            assert run("sh", "-c", f"touch {path} 2>/dev/null || echo refused") == "refused"
        assert "cpu" in run("python", "-c", "import torch; print(torch.__version__)")
        time.sleep(1)

        def ask(path: str, body: str = "", **headers: str) -> http.client.HTTPResponse:
            line = http.client.HTTPSConnection(SITE, outer, context=trust, timeout=60)
            form = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
            line.request("POST" if body else "GET", path, body or None, {**form, **headers})
            return line.getresponse()

        assert ask("/_stcore/health").read() == b"ok"
        assert ask("/runs").status == 303
        answer = ask("/sign-in", f"password={PASSWORD.replace(' ', '+')}")
        cookie = answer.headers["Set-Cookie"]
        assert (answer.status, "Secure" in cookie, "HttpOnly" in cookie) == (303, True, True)
        ticket = cookie.split(";")[0]
        assert ask("/runs", Cookie=ticket).status == 200
        with connect(
            f"wss://{SITE}:{outer}/_stcore/stream",
            ssl=trust,
            additional_headers={"Cookie": ticket},
            origin=f"https://{SITE}:{outer}",
            subprotocols=["streamlit"],
            max_size=None,
        ) as line:
            from streamlit.proto.BackMsg_pb2 import BackMsg

            wish = BackMsg()
            wish.rerun_script.page_name = "settings"
            line.send(wish.SerializeToString())
            heard = b""
            while True:
                message = line.recv(timeout=60)
                assert isinstance(message, bytes)
                heard += message
                if ForwardMsg.FromString(message).HasField("script_finished"):
                    break
        assert b"Back up now" in heard
        before = run("python", "-m", "core", "baseline", "direct", "naps and memory", "--json")
        run_id = json.loads(before)["run"]
        backed = json.loads(run("python", "-m", "core", "backup", "--json"))["file"]
        findings = json.loads(run("python", "-m", "core", "doctor", "--json", check=False))
        broken = [one for one in findings["findings"] if one["state"] == "broken"]
        assert broken == []
        began = time.monotonic()
        podman("stop", "-t", "15", name)
        assert time.monotonic() - began < 12
    with container(image, "foundry-tried", inner) as name:
        assert run_id in podman("exec", name, "python", "-m", "core", "runs")
        refused = podman(
            "exec", name, "python", "-m", "core", "restore", backed, "--over", check=False
        )
        assert refused == ""  # The program runs.
    back = podman(
        *("run", "--rm", "--network=none", *CONFINED),
        *("-v", "foundry-tried:/data", image, "python", "-m", "core", "restore", backed, "--over"),
    )
    assert "1 run." in back
    podman("volume", "rm", "-f", "foundry-tried")


@pytest.mark.soak
@pytest.mark.skipif(not CAN_BUILD, reason=f"as root with {', '.join(TOOLS)} only")
def test_as_it_is_the_image_wants_a_password_is_found_healthy_and_ends_at_a_signal(image):
    """In a network of its own, where nobody else is: it serves every address."""
    name = "foundry-alone"
    words = ("run", "--name", name, "--network=none", *CONFINED, f"--volume={name}:/data")
    podman("rm", "-f", "-i", name)
    try:
        podman(*words, image, check=False)
        assert podman("inspect", EXIT_CODE, name) == "3", "without a password it serves nobody"
        podman("rm", "-f", "-i", name)
        podman(*words, "-d", "-e", f"FOUNDRY_PASSWORD={PASSWORD}", image)
        for _ in range(100):
            healthy = podman("healthcheck", "run", name, check=False) == ""
            log = podman("exec", name, "cat", "/data/logs/foundry.jsonl", check=False)
            if healthy and "server.started" in log:
                break
            time.sleep(0.5)
        assert (healthy, "server.started" in log) == (True, True)
        began = time.monotonic()
        podman("stop", "-t", "30", name)
        assert time.monotonic() - began < 12
        # As the first process of its system it is not ended by the signal, and ends by itself.
        assert podman("inspect", EXIT_CODE, name) in ("0", "143")
    finally:
        podman("rm", "-f", "-i", name)
        podman("volume", "rm", "-f", name, check=False)
