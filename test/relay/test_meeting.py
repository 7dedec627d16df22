"""Who meets whom, and what passes between them."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import pytest
from conftest import EXTENSION, NamedProvider
from jupyter_server.auth.identity import (
    IdentityProvider,
    LegacyIdentityProvider,
    PasswordIdentityProvider,
    User,
)
from jupyter_server.auth.login import LegacyLoginHandler, LoginFormHandler
from jupyter_server.base.handlers import JupyterHandler

from jupyterlab_mcp_bridge import relay as module
from jupyterlab_mcp_bridge.people import person_behind

FRAMES = Path(__file__).parents[2] / "protocol" / "frames.ts"


async def test_there_and_back(pair):
    tab, tab_id, client, client_id = await pair()
    tab.send(client_id, "answer")
    assert await client.receive() == (tab_id, "answer")


def test_the_protocol_version_is_that_of_the_frames():
    (version,) = re.findall(r"PROTOCOL_VERSION = (\d+);", FRAMES.read_text())
    assert int(version) == module.PROTOCOL_VERSION


def test_a_message_that_the_senders_allow_is_let_through():
    (factor,) = re.findall(r"MAX_FRAME_BYTES = (\d+) \* 1024 \* 1024;", FRAMES.read_text())
    assert int(factor) * module.MIB < module.Relay.max_message_size


@pytest.mark.parametrize(
    "body",
    (
        "",
        "\n",
        "two\nlines\n",
        "\r\n\t\0",
        '{"type":"mcp","message":{}}',
        "grüße 你好 👩‍👩‍👧‍👦 \u2028 \ufeff",
        "not { json",
    ),
)
async def test_bodies_pass_as_they_are(pair, body):
    tab, tab_id, client, client_id = await pair()
    client.send(tab_id, body)
    assert await tab.receive() == (client_id, body)
    tab.send(client_id, body)
    assert await client.receive() == (tab_id, body)


async def test_order_is_kept(pair):
    tab, tab_id, client, client_id = await pair()
    for n in range(500):
        client.send(tab_id, f"{n}" + "x" * (n % 7) * 1000)
    for n in range(500):
        peer, body = await tab.receive()
        assert (peer, body.rstrip("x")) == (client_id, f"{n}")


async def test_a_large_message(pair):
    tab, tab_id, client, client_id = await pair()
    body = "ä" * (2 * 1024 * 1024)
    client.send(tab_id, body)
    assert await tab.receive() == (client_id, body)


async def test_two_tabs_and_two_clients(tab, client):
    first, second = await tab(), await tab()
    one, tabs = await client()
    two, same_tabs = await client()
    assert len(set(tabs)) == 2
    assert same_tabs == tabs
    ids = {}
    for name, socket in (("one", one), ("two", two)):
        for target in tabs:
            socket.send(target, name)
        for each in (first, second):
            peer, body = await each.receive()
            assert body == name
            ids.setdefault(name, set()).add(peer)
    # Each client has one id for both tabs, and its own.
    assert [len(each) for each in ids.values()] == [1, 1]
    assert not ids["one"] & ids["two"]
    (one_id,), (two_id,) = ids["one"], ids["two"]
    second.send(two_id, "for two")
    first.send(one_id, "for one")
    assert await one.receive() == (tabs[0], "for one")
    assert await two.receive() == (tabs[1], "for two")
    assert await one.silent()
    assert await two.silent()


async def test_a_tab_that_comes_and_goes(tab, client):
    socket, tabs = await client()
    assert tabs == []
    a_tab = await tab()
    opened = await socket.receive()
    assert opened["type"] == "tab-opened"
    a_tab.close()
    assert await socket.receive() == {"type": "tab-closed", "peer": opened["peer"]}
    socket.send(opened["peer"], "late")
    assert await socket.receive() == {"type": "tab-closed", "peer": opened["peer"]}


async def test_a_client_that_goes(pair):
    tab, _, client, client_id = await pair()
    client.close()
    assert await tab.receive() == {"type": "client-closed", "peer": client_id}
    tab.send(client_id, "late")
    assert await tab.receive() == {"type": "client-closed", "peer": client_id}


async def test_only_tabs_that_a_client_spoke_to_hear_that_it_goes(tab, pair):
    bystander = await tab()
    _, _, client, _ = await pair()
    client.close()
    assert await bystander.silent()


async def test_a_peer_that_vanishes_without_goodbye(pair, relay):
    tab, tab_id, client, client_id = await pair()
    tab.socket.protocol.stream.close()
    assert await client.receive() == {"type": "tab-closed", "peer": tab_id}
    assert not relay.tabs


async def test_a_tab_that_reloads_is_a_new_peer(pair, tab):
    old, old_id, client, _ = await pair()
    await tab()
    old.close()
    opened, closed = await client.receive(), await client.receive()
    assert (opened["type"], closed["type"]) == ("tab-opened", "tab-closed")
    assert closed["peer"] == old_id != opened["peer"]


async def test_ids_cannot_be_guessed(client, tab):
    for _ in range(8):
        await tab()
    _, tabs = await client()
    assert len(set(tabs)) == 8
    assert all(re.fullmatch("[0-9a-f]{16}", each) for each in tabs)


async def test_nobody_speaks_in_anothers_name(pair):
    tab, tab_id, client, client_id = await pair()
    other_tab, other_tab_id, other, other_id = await pair()
    await client.receive()
    # A body that looks like a frame of somebody else's stays a body.
    client.send(tab_id, f"{other_id}\nforged")
    assert await tab.receive() == (client_id, f"{other_id}\nforged")
    other_tab.send(other_id, "\nforged")
    assert await other.receive() == (other_tab_id, "\nforged")


async def test_clients_do_not_reach_clients(pair):
    _, _, first, first_id = await pair()
    _, _, second, second_id = await pair()
    await first.receive()
    second.send(first_id, "hello")
    assert await second.receive() == {"type": "tab-closed", "peer": first_id}
    second.send(second_id, "hello")
    assert await second.receive() == {"type": "tab-closed", "peer": second_id}
    assert await first.silent()


async def test_tabs_do_not_reach_tabs(pair):
    first, first_id, _, _ = await pair()
    second, _, _, _ = await pair()
    second.send(first_id, "hello")
    assert await second.receive() == {"type": "client-closed", "peer": first_id}
    assert await first.silent()


async def test_a_tab_does_not_reach_a_client_that_did_not_speak_to_it(pair, tab):
    stranger = await tab()
    _, _, client, client_id = await pair()
    stranger.send(client_id, "hello")
    assert await stranger.receive() == {"type": "client-closed", "peer": client_id}
    assert await client.silent()


@pytest.mark.parametrize("peer", ("", "0" * 16, "nobody", "ü", '"}', "x" * 64))
async def test_one_that_never_was_is_one_that_is_gone(pair, peer):
    tab, tab_id, client, client_id = await pair()
    client.send(peer, "hello")
    assert await client.receive() == {"type": "tab-closed", "peer": peer}
    tab.send(peer, "hello")
    assert await tab.receive() == {"type": "client-closed", "peer": peer}
    client.send(tab_id, "still here")
    assert await tab.receive() == (client_id, "still here")


@pytest.mark.parametrize("message", ("", "no line break", "x" * 65 + "\n", "x" * 100_000))
async def test_what_is_no_frame_ends_its_sender(pair, message):
    tab, tab_id, client, client_id = await pair()
    client.socket.write_message(message)
    code, reason = await client.end()
    assert code == 1002
    assert "peer" in reason
    assert await tab.receive() == {"type": "client-closed", "peer": client_id}


async def test_a_binary_message_ends_its_sender(pair):
    tab, tab_id, client, _ = await pair()
    tab.socket.write_message(b"id\nbody", binary=True)
    code, _ = await tab.end()
    assert code == 1003
    assert await client.receive() == {"type": "tab-closed", "peer": tab_id}


async def test_after_its_end_nothing_of_it_passes(pair):
    tab, tab_id, client, client_id = await pair()
    client.socket.write_message("no frame")
    client.send(tab_id, "too late")
    assert await tab.receive() == {"type": "client-closed", "peer": client_id}
    assert await tab.silent()


async def test_bytes_that_are_no_text_end_their_sender(pair):
    tab, tab_id, client, client_id = await pair()
    client.socket.protocol._write_frame(True, 1, tab_id.encode() + b"\n\xff\xfe")
    await client.end()
    assert await tab.receive() == {"type": "client-closed", "peer": client_id}


async def test_the_log_holds_no_frame(pair, caplog):
    caplog.set_level(logging.DEBUG)
    tab, tab_id, client, client_id = await pair()
    client.send(tab_id, "a secret body")
    await tab.receive()
    client.socket.write_message("a secret body")
    await client.end()
    assert "secret" not in caplog.text
    assert tab_id not in caplog.text
    assert client_id not in caplog.text


# Users.


@pytest.fixture
def named(jp_server_config):
    """A server that tells users apart."""
    jp_server_config["ServerApp"]["identity_provider_class"] = NamedProvider
    return {name: {"headers": {"Authorization": f"token {name}"}} for name in ("alice", "bob")}


async def test_two_users_meet_only_their_own(named, tab, client):
    alices = await tab(**named["alice"])
    one, alices_tabs = await client(**named["alice"])
    two, bobs_tabs = await client(**named["bob"])
    assert len(alices_tabs) == 1
    assert bobs_tabs == []
    # Bob hears of his own tab, Alice does not.
    bobs = await tab(**named["bob"])
    opened = await two.receive()
    assert opened["type"] == "tab-opened"
    assert await one.silent()
    # Even one that knows the id is told that there is none.
    two.send(alices_tabs[0], "hello")
    assert await two.receive() == {"type": "tab-closed", "peer": alices_tabs[0]}
    assert await alices.silent()
    one.send(alices_tabs[0], "hello")
    alice_id, _ = await alices.receive()
    bobs.send(alice_id, "hello")
    assert await bobs.receive() == {"type": "client-closed", "peer": alice_id}
    alices.close()
    assert (await one.receive())["type"] == "tab-closed"
    assert await two.silent()


async def test_a_user_without_a_name_gets_in_nowhere(named, dial):
    for end in ("tab", "client"):
        assert await dial(end, headers={"Authorization": "token carol"}) == 403


async def test_with_one_token_all_are_one_person(jp_fetch, tab, client, jp_http_port):
    # Two browsers: the server has a random name for each.
    cookies, names = [], []
    for _ in range(2):
        answer = await jp_fetch("api", "me")
        names.append(answer.body)
        cookies.append(answer.headers["Set-Cookie"].split(";")[0])
    assert names[0] != names[1]
    for cookie in cookies:
        await tab(headers={"Cookie": cookie, "Origin": f"http://localhost:{jp_http_port}"})
    _, tabs = await client()
    assert len(tabs) == 2


class Request:
    """As much of a handler as tells who is behind it."""

    def __init__(self, provider, name="alice"):
        self.identity_provider = provider
        self.current_user = User(name)

    get_current_user = JupyterHandler.get_current_user


class OwnProvider(PasswordIdentityProvider):
    pass


class OwnLogin(LoginFormHandler):
    pass


class OwnLegacyLogin(LegacyLoginHandler):
    pass


@pytest.mark.parametrize(
    ("provider", "person"),
    (
        (IdentityProvider(), None),
        (PasswordIdentityProvider(), None),
        (LegacyIdentityProvider(), None),
        (OwnProvider(), "alice"),
        (NamedProvider(), "alice"),
        (PasswordIdentityProvider(login_handler_class=OwnLogin), "alice"),
        (LegacyIdentityProvider(login_handler_class=OwnLegacyLogin), "alice"),
    ),
    ids=lambda it: type(it).__name__,
)
def test_where_users_are_told_apart(provider, person):
    assert person_behind(Request(provider)) == person


def test_an_overridden_current_user_tells_users_apart():
    class Patched(Request):
        def get_current_user(self):
            return "alice"

    assert person_behind(Patched(IdentityProvider())) == "alice"
    # With any other stock provider the server does not ask it.
    assert person_behind(Patched(PasswordIdentityProvider())) is None


def test_an_old_hubs_user_model_counts_by_its_name():
    model = {"name": "alice", "session_id": "1"}
    assert person_behind(Request(NamedProvider(), model)) == "alice"


def test_the_extension_is_found_by_the_server():
    import jupyterlab_mcp_bridge as package

    (point,) = package._jupyter_server_extension_points()
    assert point["app"].name == point["module"] == package.__name__
    assert EXTENSION["ServerApp"]["jpserver_extensions"] == {point["module"]: True}
