"""Carries frames between the JupyterLab tabs and the MCP bridges of a server.

Two WebSocket endpoints under `<base_url>/mcp-bridge/`: tabs dial `tab`, bridges
dial `client`. A text message is `<peer>\\n<body>`.

Why a peer line: with it the relay needs to read nothing but the first line. It
looks up whom the line names and puts the sender's own id there in its stead, so
no one can speak in another's name, a new kind of body needs no new relay, and
what passes is neither parsed nor kept nor logged. Ids are drawn at random here
and last as long as the socket. An empty line marks the relay's own notices, in
JSON: `tabs`, `tab-opened` and `tab-closed` to clients, `ready` and
`client-closed` to tabs (protocol/frames.ts has their fields).

Who meets whom: where the server tells users apart, only peers of the same user.
A client begins; a tab answers only those that have spoken to it. Whoever may
not be met is answered like one that does not exist.

Why no Origin at the client endpoint: every browser sends that header with a
WebSocket and no page can leave it out, so a request that has none is no web
page, whatever cookies the browser would have added. The bridge brings its token
in the Authorization header; in an address it would end up in histories and
logs, so there it is refused. The tab endpoint takes what the kernels' sockets
take, origin check included: that is where JupyterLab's own page comes from.

Nobody waits for another's slow reader: a message goes into the reader's buffer,
and a reader whose buffer is full is closed. The relay sends no pings, so that a
server on which nothing happens counts as idle. It writes no file.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
from typing import Any

from jupyter_core.utils import ensure_async
from jupyter_server.auth.decorator import ws_authenticated
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.base.websocket import WebSocketMixin
from tornado.ioloop import IOLoop
from tornado.iostream import StreamBufferFullError
from tornado.web import HTTPError
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from .people import person_behind

# The one in protocol/frames.ts; a test compares them.
PROTOCOL_VERSION = 1

MIB = 1024 * 1024

GOING_AWAY, PROTOCOL_ERROR, UNSUPPORTED, TRY_AGAIN_LATER = 1001, 1002, 1003, 1013

# Longer than any id: what has no line break before this is no frame.
LONGEST_PEER_LINE = 64


class Relay:
    """Who is connected to this server."""

    max_tabs = 64
    max_clients = 512
    #: Of one message, in bytes; senders keep to 4 MiB.
    max_message_size = 5 * MIB
    #: Of what waits for one reader, in bytes.
    max_waiting = 16 * MIB

    def __init__(self) -> None:
        self.tabs: dict[str, TabSocket] = {}
        self.clients: dict[str, ClientSocket] = {}
        #: Every open socket, those included that are being closed.
        self.sockets: set[RelaySocket] = set()
        self.stopping = False
        self.all_gone: asyncio.Event | None = None

    async def stop(self) -> None:
        """Says goodbye to everyone, and gives them a second to answer."""
        self.stopping = True
        for each in list(self.sockets):
            each.close(GOING_AWAY, "the Jupyter server is stopping")
        if self.sockets:
            self.all_gone = asyncio.Event()
            try:
                await asyncio.wait_for(self.all_gone.wait(), 1)
            except asyncio.TimeoutError:
                pass

    def closed(self, peer: RelaySocket) -> None:
        """Forgets a socket that is no more."""
        self.sockets.discard(peer)
        if not self.sockets and self.all_gone:
            self.all_gone.set()


class RelaySocket(WebSocketMixin, WebSocketHandler, JupyterHandler):
    """What both endpoints share: how they are entered, sent to and left.

    Each adds what it does when it has `joined` and when it has `left`, and
    `find`: whom it may speak to by an id, or None.
    """

    auth_resource = "kernels"
    # Neither Jupyter's pings nor Tornado's.
    ping_interval = 0
    ping_timeout = 0
    #: The type of the notice for a peer that is not there.
    closed_notice: str

    def initialize(self, relay: Relay, members: dict[str, Any], limit: int) -> None:
        """Takes those of its kind that are connected, and how many there may be."""
        self.relay = relay
        self.members = members
        self.limit = limit
        self.peer = secrets.token_hex(8)
        self.person: str | None = None
        self.full = False

    # Entering.

    def set_default_headers(self) -> None:
        """Those of JupyterHandler are for pages."""

    def get_compression_options(self) -> None:
        """None: it costs more time than a local network takes."""

    @property
    def max_message_size(self) -> int:
        return self.relay.max_message_size

    def log_exception(self, typ: Any, value: Any, tb: Any) -> None:
        """Tornado's own would log the whole address, a token in it included."""
        if not isinstance(value, HTTPError):
            self.log.error("Failed: %s", self.request.path, exc_info=(typ, value, tb))

    @ws_authenticated
    async def get(self) -> None:
        """Lets in who may run code here; the origin is checked on the way up."""
        if not await ensure_async(
            self.authorizer.is_authorized(self, self.current_user, "execute", "kernels")
        ):
            raise HTTPError(403)
        self.person = person_behind(self)
        await super().get()

    def open(self) -> None:
        """Makes it a member, if there is room."""
        super().open()
        self.relay.sockets.add(self)
        if self.relay.stopping:
            self.close(GOING_AWAY, "the Jupyter server is stopping")
            return
        if len(self.members) >= self.limit:
            self.log.warning("%s: %s are connected, no more", self.request.path, self.limit)
            self.close(TRY_AGAIN_LATER, f"{self.limit} are connected, no more are taken")
            return
        stream = self.ws_connection.stream
        stream.set_nodelay(True)
        if stream.socket is not None:
            # Finds those that vanished without a word; no proxy counts it as activity.
            stream.socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self.members[self.peer] = self
        self.joined()

    # Being there.

    def on_message(self, message: str | bytes) -> None:
        """Hands a message on, with the sender's id in place of the addressee's."""
        if self.peer not in self.members:
            return
        if isinstance(message, bytes):
            self.leave(UNSUPPORTED, "only text messages are taken")
            return
        end = message.find("\n", 0, LONGEST_PEER_LINE + 1)
        if end < 0:
            self.leave(PROTOCOL_ERROR, "a message starts with a line that names the peer")
            return
        addressee = self.find(message[:end])
        if addressee:
            addressee.send(self.peer + message[end:])
        else:
            self.notice(type=self.closed_notice, peer=message[:end])

    def notice(self, **fields: object) -> None:
        """Sends the relay's own word."""
        self.send("\n" + json.dumps(fields, separators=(",", ":")))

    def send(self, message: str) -> None:
        """Puts a message into the buffer; never waits, never raises."""
        if self.full or not self.ws_connection:
            return
        stream = self.ws_connection.stream
        # Only for this: Tornado's own goodbyes and pongs must always find room.
        stream.max_write_buffer_size = self.relay.max_waiting
        try:
            sent = self.write_message(message)
        except WebSocketClosedError:
            pass
        except StreamBufferFullError:
            self.full = True
            # Later, since whoever sends may be going through the members.
            IOLoop.current().add_callback(self.too_slow)
        else:
            # Else asyncio reports what is left of it when the reader goes.
            sent.add_done_callback(lambda it: it.cancelled() or it.exception())
        finally:
            stream.max_write_buffer_size = None

    def too_slow(self) -> None:
        """Closes a reader that lets too much pile up; the goodbye goes behind it."""
        self.log.warning("%s: a reader was too slow", self.request.path)
        self.leave(TRY_AGAIN_LATER, "read too slowly: too much was waiting")

    # Going.

    def leave(self, code: int, reason: str) -> None:
        """Ends the membership at once; the socket follows when it is read."""
        if self.members.pop(self.peer, None):
            self.left()
        self.close(code, reason)

    def on_close(self) -> None:
        """The socket is gone, whoever closed it."""
        if self.members.pop(self.peer, None):
            self.left()
        self.relay.closed(self)


class TabSocket(RelaySocket):
    """The endpoint for JupyterLab pages."""

    closed_notice = "client-closed"

    def initialize(self, relay: Relay) -> None:
        super().initialize(relay, relay.tabs, relay.max_tabs)

    def clients(self) -> list[ClientSocket]:
        return [each for each in self.relay.clients.values() if each.person == self.person]

    def joined(self) -> None:
        self.notice(type="ready", version=PROTOCOL_VERSION)
        for client in self.clients():
            client.notice(type="tab-opened", peer=self.peer)

    def left(self) -> None:
        for client in self.clients():
            client.spoken_to.discard(self.peer)
            client.notice(type="tab-closed", peer=self.peer)

    def find(self, peer: str) -> ClientSocket | None:
        client = self.relay.clients.get(peer)
        return client if client and self.peer in client.spoken_to else None


class ClientSocket(RelaySocket):
    """The endpoint for bridges."""

    closed_notice = "tab-closed"

    def initialize(self, relay: Relay) -> None:
        super().initialize(relay, relay.clients, relay.max_clients)
        #: The tabs that know of it.
        self.spoken_to: set[str] = set()

    async def prepare(self) -> None:
        """Refuses what no bridge sends, before anyone looks at who it is."""
        headers = self.request.headers
        if "Origin" in headers or "Sec-Websocket-Origin" in headers:
            refused = "No Origin is taken here"
        elif "token" in self.request.arguments:
            refused = "The token belongs in the Authorization header"
        else:
            await super().prepare()
            return
        # Asked for by the error page.
        self.current_user = self._jupyter_current_user = None
        raise HTTPError(403, reason=refused)

    def joined(self) -> None:
        tabs = [peer for peer, tab in self.relay.tabs.items() if tab.person == self.person]
        self.notice(type="tabs", version=PROTOCOL_VERSION, tabs=tabs)

    def left(self) -> None:
        for peer in self.spoken_to:
            tab = self.relay.tabs.get(peer)
            if tab:
                tab.notice(type="client-closed", peer=self.peer)

    def find(self, peer: str) -> TabSocket | None:
        tab = self.relay.tabs.get(peer)
        if not tab or tab.person != self.person:
            return None
        self.spoken_to.add(peer)
        return tab
