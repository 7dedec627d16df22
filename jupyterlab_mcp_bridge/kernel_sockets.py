"""Kernel WebSockets without Nagle's algorithm.

The server sends a kernel's answer as several small frames. With Nagle's
algorithm on, all after the first wait until the browser has acknowledged it,
which browsers put off for about 40 ms: every cell feels slower by that much.
The server has a configuration point for the class of these sockets; it is used
only where nobody else has.

A page that connects anew does so before its earlier socket is gone, after two
restarts in a row or when the network was away. The server then closes that
socket, but by itself
- keeps its queues to the kernel beside the new ones, under the same name. The
  kernel answers one of the two, often the wrong one for good. Here the earlier
  socket hands its queues over, with what is in them.
- knows its protocol no more, and takes what is still read from it for a message
  of a hundred million parts, which it tries to count: it stands still for half
  a minute. Here the protocol is remembered.
"""

from __future__ import annotations

import asyncio

from jupyter_server.serverapp import ServerApp
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection

SETTING = "kernel_websocket_connection_class"


class NoDelayConnection(ZMQChannelsWebsocketConnection):
    """The server's own connection, with the socket told to send at once."""

    _protocol: str | None = None
    _connecting: asyncio.Future[None] | None = None
    #: Whether it has been let go of: its queues belong to another, or are closed.
    _ended = False

    def connect(self) -> asyncio.Future[None] | None:
        """Called by the kernels handler as soon as its socket is open."""
        if self._ended:
            # A later socket of the page came first.
            nothing: asyncio.Future[None] = asyncio.Future()
            nothing.set_result(None)
            return nothing
        self.websocket_handler.set_nodelay(True)
        self._protocol = super().subprotocol
        self._connecting = super().connect()
        return self._connecting

    @property
    def subprotocol(self) -> str | None:
        """That of the socket, also after the server has closed it."""
        return super().subprotocol or self._protocol

    async def _register_session(self) -> None:
        """Called before it connects; the server looks for an earlier socket here."""
        key = f"{self.kernel_id}:{self.session.session}"
        earlier = self._open_sessions.get(key)
        await super()._register_session()
        connection = getattr(earlier, "connection", None)
        if isinstance(connection, NoDelayConnection):
            connection.give_way()

    def give_way(self) -> None:
        """Lets another socket of the same page take over, at once."""
        connecting = self._connecting
        if connecting is None:
            self._ended = True
            return
        was_last = self.multi_kernel_manager._kernel_connections.get(self.kernel_id) == 1
        self.disconnect()
        # The server keeps them for the one to come.
        self.channels = {}
        if not connecting.done():
            # They are not known to work yet, and this one still listens there.
            connecting.cancel()
            if was_last and self.kernel_id in self.multi_kernel_manager:
                self.multi_kernel_manager.stop_buffering(self.kernel_id)

    def disconnect(self) -> None:
        """Called when the socket is gone, after it gave way too."""
        if not self._ended:
            self._ended = True
            super().disconnect()


def may_replace(serverapp: ServerApp) -> bool:
    """Whether the class is still the default one: no gateway, nobody's choice.

    Naming the default class in the configuration is a choice too.
    """
    chosen = any(
        SETTING in serverapp.config.get(cls.__name__, {}) for cls in type(serverapp).__mro__
    )
    return not chosen and serverapp.web_app.settings.get(SETTING) is ZMQChannelsWebsocketConnection
