"""What the relay bears, and what it does beyond."""

from __future__ import annotations

import asyncio
import base64
import gc
import logging
import os
import socket

import pytest
from conftest import QUIET

from jupyterlab_mcp_bridge.relay import MIB, Relay


def test_the_limits():
    assert (Relay.max_tabs, Relay.max_clients) == (64, 512)
    assert Relay.max_message_size == 5 * MIB
    assert Relay.max_waiting == 16 * MIB


async def test_the_65th_tab(tab, dial, client):
    tabs = [await tab() for _ in range(64)]
    a_client, ids = await client()
    assert len(ids) == 64
    code, reason = await (await dial("tab")).end()
    assert code == 1013
    assert "64" in reason
    # Nobody hears of it, all others go on, and a place that is left can be taken.
    assert await a_client.silent()
    a_client.send(ids[0], "hello")
    assert (await tabs[0].receive())[1] == "hello"
    tabs[1].close()
    assert (await a_client.receive())["type"] == "tab-closed"
    await tab()


async def test_the_513th_client(relay, client, dial):
    # Real sockets, so fewer of them; the number itself is tested above.
    relay.max_clients = 5
    clients = [await client() for _ in range(5)]
    code, reason = await (await dial("client")).end()
    assert code == 1013
    assert "5" in reason
    clients[0][0].close()
    while len(relay.clients) == 5:
        await asyncio.sleep(0.01)
    await client()


async def test_a_message_that_is_too_large(pair):
    tab, tab_id, client, client_id = await pair()
    bystander, bystander_id, other, other_id = await pair()
    await client.receive()
    client.send(tab_id, "x" * (5 * MIB))
    assert await tab.receive() == {"type": "client-closed", "peer": client_id}
    assert await client.receive() is None
    other.send(bystander_id, "goes on")
    assert await bystander.receive() == (other_id, "goes on")


async def test_the_largest_message(pair):
    tab, tab_id, client, client_id = await pair()
    body = "x" * (5 * MIB - len(tab_id) - 1)
    client.send(tab_id, body)
    assert await tab.receive() == (client_id, body)


async def test_a_message_in_many_parts_is_counted_as_one(pair):
    tab, tab_id, client, client_id = await pair()
    write = client.socket.protocol._write_frame
    write(False, 1, tab_id.encode() + b"\n")
    for _ in range(6):
        write(False, 0, b"x" * MIB)
    assert await tab.receive() == {"type": "client-closed", "peer": client_id}


async def flood(sender, peer, total=48 * MIB):
    """Sends until it is told that the reader is gone; how much that took."""
    for sent in range(0, total, MIB):
        await sender.send(peer, "x" * MIB)
        await asyncio.sleep(0)
        if sender.socket.read_queue.qsize():
            return sent
    return total


async def test_a_client_that_reads_too_slowly(pair, client, relay):
    tab, tab_id, slow, slow_id = await pair()
    quick, _ = await client()
    quick.send(tab_id, "hello")
    quick_id, _ = await tab.receive()
    # It does not read; what is beyond its own and the system's buffers waits in the relay.
    sent = await flood(tab, slow_id)
    assert 16 * MIB <= sent < 40 * MIB
    gone = {"type": "client-closed", "peer": slow_id}
    assert await tab.receive() == gone
    assert slow_id not in relay.clients
    # Others never notice.
    tab.send(quick_id, "goes on")
    assert await quick.receive() == (tab_id, "goes on")
    quick.send(tab_id, "goes on")
    while (message := await tab.receive()) == gone:
        # One more for each message that was under way.
        pass
    assert message == (quick_id, "goes on")
    # What it did not read comes in order, and then why it is closed.
    code, reason = await slow.end()
    assert code == 1013
    assert "slow" in reason


async def test_what_follows_a_lost_message_is_not_sent(pair, relay):
    tab, _, _, _ = await pair()
    (its,) = relay.tabs.values()
    relay.max_waiting = 100
    its.send("x" * 200)
    its.send("after a gap")
    assert await tab.receive() is None
    assert tab.socket.close_code == 1013


async def test_a_tab_that_reads_too_slowly(pair, tab, relay):
    slow, slow_id, client, client_id = await pair()
    other = await tab()
    opened = await client.receive()
    await flood(client, slow_id)
    assert await client.receive() == {"type": "tab-closed", "peer": slow_id}
    client.send(opened["peer"], "goes on")
    assert await other.receive() == (client_id, "goes on")


async def test_nobody_waits_while_a_reader_is_slow(pair, client):
    tab, tab_id, slow, slow_id = await pair()
    quick, _ = await client()
    quick.send(tab_id, "hello")
    quick_id, _ = await tab.receive()
    for _ in range(12):
        await tab.send(slow_id, "x" * MIB)
    start = asyncio.get_running_loop().time()
    tab.send(quick_id, "past it")
    assert await quick.receive() == (tab_id, "past it")
    assert asyncio.get_running_loop().time() - start < 1
    # And nothing of it is lost.
    for _ in range(12):
        assert len((await slow.receive())[1]) == MIB


async def test_a_quick_reader_may_be_sent_any_amount(pair):
    tab, tab_id, client, _ = await pair()

    async def read():
        for _ in range(48):
            assert len((await tab.receive())[1]) == MIB

    reading = asyncio.ensure_future(read())
    for _ in range(48):
        await client.send(tab_id, "x" * MIB)
    await reading


async def test_many_readers_that_are_slow_at_once(relay, tab, client):
    tabs = [await tab() for _ in range(30)]
    clients = []
    for _ in range(60):
        a_client, ids = await client()
        for each in ids:
            a_client.send(each, "x")
        clients.append(a_client)
    for a_tab in tabs:
        for _ in range(60):
            assert (await a_tab.receive())[1] == "x"
    # The shortest buffer there is: the next notice is too much for each.
    relay.max_waiting = 0
    tabs[0].close()
    while relay.tabs or relay.clients:
        await asyncio.sleep(0.01)
    for each in clients:
        assert (await each.end())[0] == 1013


async def test_a_reader_that_goes_with_much_unread_leaves_no_trace(pair, caplog):
    tab, tab_id, client, client_id = await pair()
    # What tests before this one left to be collected is not told as its own.
    gc.collect()
    caplog.clear()
    for _ in range(12):
        await client.send(tab_id, "x" * MIB)
    tab.socket.protocol.stream.close()
    assert await client.receive() == {"type": "tab-closed", "peer": tab_id}
    await asyncio.sleep(QUIET)
    gc.collect()
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]


@pytest.mark.parametrize("end", ("tab", "client"))
async def test_no_compression_though_offered(dial, end, jp_serverapp):
    jp_serverapp.web_app.settings["websocket_compression_options"] = {}
    peer = await dial(end, compression_options={})
    assert "permessage-deflate" in peer.socket.request.headers["Sec-WebSocket-Extensions"]
    assert "Sec-WebSocket-Extensions" not in peer.socket.headers


async def test_sends_at_once(pair, relay):
    await pair()
    for each in (*relay.tabs.values(), *relay.clients.values()):
        its = each.ws_connection.stream.socket
        assert its.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        assert its.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)


@pytest.mark.parametrize("end", ("tab", "client"))
async def test_silent_while_nothing_happens(
    jp_serverapp, http_server, jp_http_port, jp_base_url, jp_auth_header, end
):
    # The server pings its other sockets every 20 ms, in both of its ways.
    settings = jp_serverapp.web_app.settings
    settings.update(ws_ping_interval=20, websocket_ping_interval=0.02)
    reader, writer = await asyncio.open_connection("localhost", jp_http_port)
    key = base64.b64encode(os.urandom(16)).decode()
    writer.write(
        f"GET {jp_base_url}mcp-bridge/{end} HTTP/1.1\r\n"
        f"Host: localhost:{jp_http_port}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
        f"Authorization: {jp_auth_header['Authorization']}\r\n\r\n".encode()
    )
    assert b"101" in await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5)
    head = await asyncio.wait_for(reader.readexactly(2), 5)
    notice = await asyncio.wait_for(reader.readexactly(head[1]), 5)
    assert b'"version":1' in notice
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(reader.read(1), 0.3)
    writer.close()


async def test_a_server_that_stops_says_so(pair, relay, jp_serverapp, dial):
    tab, _, client, _ = await pair()
    reading = [asyncio.ensure_future(each.receive()) for each in (tab, client)]
    await asyncio.wait_for(jp_serverapp.extension_manager.stop_all_extensions(), 0.9)
    for each, message in zip((tab, client), reading):
        # No word of the others that are closed too.
        assert await message is None
        assert each.socket.close_code == 1001
        assert "stopping" in each.socket.close_reason
    assert not relay.sockets
    # One that is too quick to come back is told as well.
    for end in ("tab", "client"):
        assert (await (await dial(end)).end())[0] == 1001


async def test_a_server_that_stops_does_not_wait_for_the_dead(pair, relay):
    await pair()
    await asyncio.wait_for(relay.stop(), 2)


async def test_nothing_is_kept_of_those_that_went(pair, relay):
    for _ in range(3):
        tab, _, client, _ = await pair()
        tab.close()
        client.close()
    while relay.sockets:
        await asyncio.sleep(0.01)
    assert not relay.tabs
    assert not relay.clients
