"""The kernels' WebSockets: without Nagle's algorithm, unless somebody chose otherwise."""

from __future__ import annotations

import asyncio
import json
import socket
from itertools import accumulate
from uuid import uuid4

import pytest
from jupyter_server.gateway.connections import GatewayWebSocketConnection
from jupyter_server.gateway.gateway_client import GatewayClient
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

from jupyterlab_mcp_bridge.kernel_sockets import SETTING, NoDelayConnection


def used(serverapp):
    return serverapp.web_app.settings[SETTING]


def test_replaces_the_default(jp_serverapp):
    assert used(jp_serverapp) is NoDelayConnection


@pytest.fixture
def switched_off(jp_server_config):
    jp_server_config["McpBridge"] = {"nodelay": False}


def test_can_be_turned_off(switched_off, jp_serverapp):
    assert used(jp_serverapp) is ZMQChannelsWebsocketConnection


class Chosen(ZMQChannelsWebsocketConnection):
    """Somebody's own."""


@pytest.mark.parametrize("chosen", (Chosen, ZMQChannelsWebsocketConnection))
def test_leaves_a_configured_class_alone(jp_server_config, jp_configurable_serverapp, chosen):
    jp_server_config["ServerApp"][SETTING] = chosen
    assert used(jp_configurable_serverapp(config=jp_server_config)) is chosen


def test_leaves_another_extensions_class_alone(jp_serverapp):
    app = jp_serverapp.extension_manager.extension_apps["jupyterlab_mcp_bridge"].pop()
    jp_serverapp.web_app.settings[SETTING] = Chosen
    app.settings.clear()
    app._prepare_settings()
    assert used(jp_serverapp) is Chosen


@pytest.fixture
def gateway(jp_server_config):
    """A configured gateway; the server keeps one for the process."""
    GatewayClient.clear_instance()
    jp_server_config["GatewayClient"] = {"url": "http://localhost:1"}
    yield
    GatewayClient.clear_instance()


def test_leaves_a_gateway_alone(gateway, jp_server_config, jp_configurable_serverapp):
    app = jp_configurable_serverapp(config=jp_server_config)
    assert used(app) is GatewayWebSocketConnection


async def nagle_is_off(jp_serverapp, jp_fetch, jp_ws_fetch):
    """Runs code through a kernel's socket; whether that socket sends at once."""
    answer = await jp_fetch("api", "kernels", method="POST", body="{}")
    kernel = json.loads(answer.body)["id"]
    opened = []
    connection = used(jp_serverapp)
    connect = connection.connect

    def spy(self):
        opened.append(self.websocket_handler)
        return connect(self)

    connection.connect = spy
    try:
        ws = await jp_ws_fetch("api", "kernels", kernel, "channels", params={"session_id": "s"})
        header = {"msg_id": "m", "msg_type": "kernel_info_request", "session": "s", "username": ""}
        message = {"header": header, "channel": "shell", "content": {}}
        await ws.write_message(json.dumps({**message, "parent_header": {}, "metadata": {}}))
        while True:
            reply = json.loads(await asyncio.wait_for(ws.read_message(), 30))
            if reply["msg_type"] == "kernel_info_reply":
                break
        its = opened[0].ws_connection.stream.socket
        nodelay = its.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        ws.close()
        return bool(nodelay)
    finally:
        connection.connect = connect


async def test_a_kernels_socket_sends_at_once(jp_serverapp, jp_fetch, jp_ws_fetch):
    assert await nagle_is_off(jp_serverapp, jp_fetch, jp_ws_fetch)


async def test_a_kernels_socket_without_it_does_not(
    switched_off, jp_serverapp, jp_fetch, jp_ws_fetch
):
    assert not await nagle_is_off(jp_serverapp, jp_fetch, jp_ws_fetch)


V1 = "v1.kernel.websocket.jupyter.org"


def v1_message(msg_type, content=None):
    """A message as JupyterLab sends it: offsets, then the parts."""
    header = {"msg_id": str(uuid4()), "msg_type": msg_type, "session": "s", "version": "5.4"}
    parts = [b"shell", *(json.dumps(each).encode() for each in (header, {}, {}, content or {}))]
    ends = list(accumulate(map(len, parts), initial=8 * (len(parts) + 2)))
    return b"".join(n.to_bytes(8, "little") for n in (len(ends), *ends)) + b"".join(parts)


@pytest.fixture
def page(jp_fetch, jp_http_port, jp_base_url, jp_auth_header):
    """Opens the sockets of one page to one kernel; restarts the kernel."""
    root = f"ws://localhost:{jp_http_port}{jp_base_url}"

    class Page:
        kernel = None

        async def connect(self):
            if self.kernel is None:
                answer = await jp_fetch("api", "kernels", method="POST", body="{}")
                self.kernel = json.loads(answer.body)["id"]
            at = f"{root}api/kernels/{self.kernel}/channels?session_id=s"
            request = HTTPRequest(at, headers=jp_auth_header)
            return await websocket_connect(request, subprotocols=[V1])

        async def restart(self):
            await jp_fetch("api", "kernels", self.kernel, "restart", method="POST", body="{}")

    return Page()


async def until(ws, *wanted):
    """Reads until each of these was read."""
    left = list(wanted)
    while left:
        message = await asyncio.wait_for(ws.read_message(), 20)
        assert message is not None, "the socket was closed"
        left = [each for each in left if each not in message]


async def test_what_is_read_after_the_server_closed_the_socket_is_still_understood(page):
    ws = await page.connect()
    await ws.write_message(v1_message("kernel_info_request"), binary=True)
    await until(ws, b"kernel_info_reply")
    (connection,) = NoDelayConnection._open_sockets
    assert connection.subprotocol == V1
    connection.websocket_handler.close()
    assert connection.websocket_handler.ws_connection is None
    sent = []
    connection.session.send_raw = lambda stream, parts: sent.append((stream.channel, parts))
    connection.handle_incoming_message(v1_message("comm_info_request"))
    ((channel, parts),) = sent
    assert channel == "shell"
    assert json.loads(parts[0])["msg_type"] == "comm_info_request"


async def test_a_page_that_connects_anew_misses_nothing(page):
    first = await page.connect()
    await first.write_message(v1_message("kernel_info_request"), binary=True)
    await until(first, b"kernel_info_reply")
    code = "import time\nprint('line 0', flush=True)\ntime.sleep(2)\nprint('line 1')"
    request = {"code": code, "silent": False, "allow_stdin": False, "stop_on_error": True}
    await first.write_message(v1_message("execute_request", request), binary=True)
    await until(first, b"line 0")
    # The way of the first is dead: it is not closed from this side.
    second = await page.connect()
    await until(second, b"line 1", b"execute_reply")
    third = await page.connect()
    await third.write_message(v1_message("kernel_info_request"), binary=True)
    await until(third, b"kernel_info_reply")


async def test_a_page_is_answered_after_two_restarts_in_a_row(page):
    first = await page.connect()
    await first.write_message(v1_message("kernel_info_request"), binary=True)
    await until(first, b"kernel_info_reply")
    for _ in range(3):
        for _ in range(2):
            await page.restart()
            last = await page.connect()
            await last.write_message(v1_message("kernel_info_request"), binary=True)
        await until(last, b"kernel_info_reply")


def test_settings_of_the_servers_own_class_still_count(jp_server_config, jp_configurable_serverapp):
    jp_server_config["ZMQChannelsWebsocketConnection"] = {"limit_rate": False}
    app = jp_configurable_serverapp(config=jp_server_config)
    assert NoDelayConnection.section_names()[-2:] == [
        "ZMQChannelsWebsocketConnection",
        "NoDelayConnection",
    ]
    assert app.config.ZMQChannelsWebsocketConnection.limit_rate is False
