"""A real Jupyter server with the relay, and peers that dial it."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest
from jupyter_server.auth.identity import IdentityProvider, User
from tornado.httpclient import HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

# The source tree is tested, whatever is installed.
sys.path.insert(0, str(Path(__file__).parents[2]))

pytest_plugins = ["pytest_jupyter.jupyter_server"]

EXTENSION = {"ServerApp": {"jpserver_extensions": {"jupyterlab_mcp_bridge": True}}}

#: Its usual name holds the host's, and these tests use several.
COOKIE = {"IdentityProvider": {"cookie_name": "signed-in"}}

#: Time for what must not come, in seconds.
QUIET = 0.15


class NamedProvider(IdentityProvider):
    """Tells users apart, as a Hub does: the name is the token."""

    def get_user(self, handler):
        scheme, _, name = handler.request.headers.get("Authorization", "").partition(" ")
        return User(name) if scheme == "token" and name in ("alice", "bob") else None


class Peer:
    """One end of a socket to the relay."""

    def __init__(self, socket):
        self.socket = socket

    async def receive(self):
        """The next message as (peer, body), the body of a notice parsed; None at the end."""
        message = await asyncio.wait_for(self.socket.read_message(), 5)
        if message is None:
            return None
        assert isinstance(message, str)
        peer, _, body = message.partition("\n")
        return (peer, body) if peer else json.loads(body)

    def send(self, peer, body):
        return self.socket.write_message(f"{peer}\n{body}")

    async def silent(self):
        """Whether nothing comes for a while."""
        waiting = asyncio.ensure_future(self.socket.read_message())
        done, _ = await asyncio.wait([waiting], timeout=QUIET)
        waiting.cancel()
        return not done

    async def end(self):
        """Reads up to the end: the close code, and its reason."""
        while await self.receive() is not None:
            pass
        return self.socket.close_code, self.socket.close_reason

    def close(self):
        self.socket.close()


@pytest.fixture
def jp_server_config():
    return json.loads(json.dumps({**EXTENSION, **COOKIE}))


@pytest.fixture
def relay(jp_serverapp):
    (app,) = jp_serverapp.extension_manager.extension_apps["jupyterlab_mcp_bridge"]
    return app.relay


@pytest.fixture
def dial(jp_serverapp, http_server_client, jp_http_port, jp_base_url, jp_auth_header):
    """Dials an endpoint; the peer, or the status it was refused with."""
    peers = []

    async def dial(end, headers=None, query="", **options):
        headers = dict(jp_auth_header) if headers is None else headers
        url = f"ws://localhost:{jp_http_port}{jp_base_url}mcp-bridge/{end}{query}"
        try:
            socket = await websocket_connect(
                HTTPRequest(url, headers=headers), max_message_size=2**25, **options
            )
        except HTTPClientError as error:
            return error.code
        peers.append(Peer(socket))
        return peers[-1]

    yield dial
    for peer in peers:
        peer.close()


@pytest.fixture
def tab(dial):
    """Connects a tab, past its first notice."""

    async def tab(**options):
        peer = await dial("tab", **options)
        assert await peer.receive() == {"type": "ready", "version": 1}
        return peer

    return tab


@pytest.fixture
def client(dial):
    """Connects a client; it and the tabs it was told of."""

    async def client(**options):
        peer = await dial("client", **options)
        notice = await peer.receive()
        assert (notice["type"], notice["version"]) == ("tabs", 1)
        return peer, notice["tabs"]

    return client


@pytest.fixture
def pair(tab, client):
    """A tab and a client that have met: both, and each one's id."""

    async def pair(**options):
        a_tab = await tab(**options)
        a_client, tabs = await client(**options)
        a_client.send(tabs[-1], "hello")
        client_id, body = await a_tab.receive()
        assert body == "hello"
        return a_tab, tabs[-1], a_client, client_id

    return pair
