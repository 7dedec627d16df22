"""jupyterlab-mcp-bridge: the labextension, and the relay that serves it."""

from __future__ import annotations

try:
    from ._version import __version__
except ImportError:
    # A source tree that was never built.
    __version__ = "0.0.0.dev0"


def _jupyter_labextension_paths() -> list[dict[str, str]]:
    return [{"src": "labextension", "dest": "jupyterlab-mcp-bridge-extension"}]


def _jupyter_server_extension_points() -> list[dict[str, object]]:
    # Imported here: tools that only ask for the labextension need no server.
    from .app import McpBridge

    return [{"module": "jupyterlab_mcp_bridge", "app": McpBridge}]
