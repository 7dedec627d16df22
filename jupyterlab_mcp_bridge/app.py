"""The Jupyter server extension: adds the relay, takes the delay out of kernel sockets."""

from __future__ import annotations

from jupyter_server.extension.application import ExtensionApp
from traitlets import Bool

from . import kernel_sockets
from .relay import ClientSocket, Relay, TabSocket


class McpBridge(ExtensionApp):
    """Lets MCP clients reach the JupyterLab tabs of this server."""

    name = "jupyterlab_mcp_bridge"

    nodelay = Bool(
        True,
        help="""Turn Nagle's algorithm off in the kernels' WebSockets.

        With it on, an answer of a kernel waits some 40 ms for the browser's
        delayed acknowledgement. Left alone wherever the server's
        kernel_websocket_connection_class is not the default one.
        """,
    ).tag(config=True)

    def initialize_settings(self) -> None:
        """Chooses the class of the kernels' sockets; the server takes `settings` over."""
        if self.nodelay and kernel_sockets.may_replace(self.serverapp):
            self.settings[kernel_sockets.SETTING] = kernel_sockets.NoDelayConnection

    def initialize_handlers(self) -> None:
        """Adds the two endpoints; the server's base URL is put before them."""
        self.relay = Relay()
        arguments = {"relay": self.relay}
        self.handlers.append((r"mcp-bridge/tab", TabSocket, arguments))
        self.handlers.append((r"mcp-bridge/client", ClientSocket, arguments))

    async def stop_extension(self) -> None:
        """Called when the server stops."""
        await self.relay.stop()
