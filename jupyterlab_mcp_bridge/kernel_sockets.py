"""Kernel WebSockets without Nagle's algorithm.

The server sends a kernel's answer as several small frames. With Nagle's
algorithm on, all after the first wait until the browser has acknowledged it,
which browsers put off for about 40 ms: every cell feels slower by that much.
The server has a configuration point for the class of these sockets; it is used
only where nobody else has.

While a kernel starts, what a page sends waits to be read. When the page has
connected anew meanwhile, the server has closed that socket, knows its protocol
no more, and takes what it then reads for another kind of message: one of a
hundred million parts, which it tries to count, so that it stands still for
half a minute. Two restarts in a row are enough. The protocol is remembered
here.
"""

from __future__ import annotations

import asyncio

from jupyter_server.serverapp import ServerApp
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection

SETTING = "kernel_websocket_connection_class"


class NoDelayConnection(ZMQChannelsWebsocketConnection):
    """The server's own connection, with the socket told to send at once."""

    def connect(self) -> asyncio.Future[None] | None:
        """Called by the kernels handler as soon as its socket is open."""
        self.websocket_handler.set_nodelay(True)
        self._protocol = super().subprotocol
        return super().connect()

    _protocol: str | None = None

    @property
    def subprotocol(self) -> str | None:
        """That of the socket, also after the server has closed it."""
        return super().subprotocol or self._protocol


def may_replace(serverapp: ServerApp) -> bool:
    """Whether the class is still the default one: no gateway, nobody's choice.

    Naming the default class in the configuration is a choice too.
    """
    chosen = any(
        SETTING in serverapp.config.get(cls.__name__, {}) for cls in type(serverapp).__mro__
    )
    return not chosen and serverapp.web_app.settings.get(SETTING) is ZMQChannelsWebsocketConnection
