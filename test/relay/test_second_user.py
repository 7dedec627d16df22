"""Another user of the machine, against a server as a person starts it."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOBODY = 65534

if not hasattr(os, "fork"):
    pytest.skip("no POSIX users here", allow_module_level=True)


@pytest.fixture
def server():
    """A running server that drew its own token: where it keeps its files, what it says of itself."""
    # Not pytest's folder: that one is closed to others, which would prove nothing.
    home = Path(tempfile.mkdtemp())
    home.chmod(0o755)
    places = {name: home / name for name in ("config", "data", "runtime", "root")}
    # The runtime folder is left to Jupyter: what it keeps there counts on the folder's mode.
    for name in ("config", "data", "root"):
        places[name].mkdir(mode=0o755)
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "JUPYTER_CONFIG_DIR": str(places["config"]),
        "JUPYTER_DATA_DIR": str(places["data"]),
        "JUPYTER_RUNTIME_DIR": str(places["runtime"]),
    }
    with (home / "log").open("w") as log:
        # The log holds the token, for the person to click on.
        (home / "log").chmod(0o600)
        process = subprocess.Popen(
            [
                sys.executable,
                *("-m", "jupyter_server", "--allow-root", "--no-browser", "--port=0"),
                f"--ServerApp.root_dir={places['root']}",
                '--ServerApp.jpserver_extensions={"jupyterlab_mcp_bridge": True}',
            ],
            env=environment,
            stdout=log,
            stderr=log,
        )
    try:
        found: list[Path] = []
        deadline = time.monotonic() + 30
        while not found:
            assert process.poll() is None, (home / "log").read_text()
            assert time.monotonic() < deadline
            time.sleep(0.05)
            found = list(places["runtime"].glob("jpserver-*.json"))
        while not (text := found[0].read_text()).strip().endswith("}"):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield home, found[0], json.loads(text)
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        shutil.rmtree(home)


def knock(port, path, headers=""):
    """Dials by hand: the status that answers."""
    with socket.create_connection(("127.0.0.1", port), 5) as connection:
        connection.sendall(
            f"GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
            f"{headers}\r\n".encode()
        )
        answer = b""
        while b"\r\n" not in answer:
            answer += connection.recv(1000)
        return int(answer.split()[1])


def tries(home, info):
    """What a process without the token gets at."""
    token = info["token"].encode()
    seen = []
    files = [path for path in home.rglob("*") if path.is_file()]
    process = Path("/proc") / str(info["pid"])
    for path in (*files, process / "environ", process / "cmdline"):
        try:
            if token in path.read_bytes():
                seen.append(str(path))
        except OSError:
            pass
    statuses = [
        knock(info["port"], f"/mcp-bridge/{end}", headers)
        for end in ("tab", "client")
        for headers in ("", "Authorization: token guessed\r\n", "Cookie: username-x=guessed\r\n")
    ]
    return seen, statuses


def as_another(user, work):
    """Does it in a process of that user's."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)
            os.write(writing, json.dumps(work()).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        result = answer.read()
    os.waitpid(child, 0)
    return json.loads(result)


def test_another_user_reaches_nothing(server):
    home, runtime_file, info = server
    assert len(info["token"]) >= 32
    # Who holds the token gets in: the doors are there.
    header = f"Authorization: token {info['token']}\r\n"
    assert knock(info["port"], "/mcp-bridge/client", header) == 101
    own, statuses = tries(home, info)
    assert str(runtime_file) in own
    assert statuses == [403] * 6
    if os.geteuid() == 0:
        seen, statuses = as_another(NOBODY, lambda: tries(home, info))
        assert seen == []
        assert statuses == [403] * 6
    # What holds it, or a folder around it, is the owner's alone, whoever runs this test.
    for path in map(Path, own):
        if home in path.parents:
            around = [path, *(each for each in path.parents if home in each.parents)]
            assert any(each.stat().st_mode & 0o077 == 0 for each in around), path
