"""Who gets in."""

from __future__ import annotations

import logging

import pytest
from jupyter_server.auth import AllowAllAuthorizer
from tornado.httpclient import HTTPClientError

ENDS = ("tab", "client")


@pytest.mark.parametrize("end", ENDS)
async def test_no_token(dial, end):
    assert await dial(end, headers={}) == 403


@pytest.mark.parametrize("end", ENDS)
async def test_wrong_token(dial, end):
    assert await dial(end, headers={"Authorization": "token wrong"}) == 403


@pytest.mark.parametrize("end", ENDS)
async def test_the_right_token(dial, end):
    peer = await dial(end)
    assert (await peer.receive())["type"] in ("ready", "tabs")


@pytest.mark.parametrize("end", ENDS)
async def test_a_server_that_lets_unmarked_endpoints_open_still_asks(
    dial, jp_serverapp, end
):
    jp_serverapp.web_app.settings["allow_unauthenticated_access"] = True
    assert await dial(end, headers={}) == 403


class Recorder(AllowAllAuthorizer):
    """Allows what it is told to, and keeps what it was asked."""

    allows = False
    asked: list[tuple[str, str]] = []

    async def is_authorized(self, handler, user, action, resource):
        self.asked.append((action, resource))
        return self.allows


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("allows", (True, False))
async def test_the_authorizer_is_asked(dial, jp_serverapp, monkeypatch, end, allows):
    authorizer = Recorder(parent=jp_serverapp)
    authorizer.allows, authorizer.asked = allows, []
    monkeypatch.setitem(jp_serverapp.web_app.settings, "authorizer", authorizer)
    peer = await dial(end)
    assert authorizer.asked == [("execute", "kernels")]
    assert (peer != 403) is allows


@pytest.fixture
def cookie(jp_fetch, jp_auth_header):
    """What a browser holds after it signed in with the token."""

    async def cookie():
        answer = await jp_fetch("api", "me")
        return answer.headers["Set-Cookie"].split(";")[0]

    return cookie


@pytest.fixture
def own_origin(jp_http_port):
    return f"http://localhost:{jp_http_port}"


FOREIGN = ("http://evil.example", "http://localhost:1", "http://127.0.0.1.evil.example", "null")


@pytest.mark.parametrize("origin", FOREIGN)
async def test_a_foreign_page_with_the_cookie_is_no_tab(dial, cookie, origin):
    headers = {"Cookie": await cookie(), "Origin": origin}
    assert await dial("tab", headers=headers) == 403


async def test_the_own_page_with_the_cookie_is_a_tab(dial, cookie, own_origin):
    peer = await dial("tab", headers={"Cookie": await cookie(), "Origin": own_origin})
    assert (await peer.receive())["type"] == "ready"


async def test_a_tab_may_bring_its_token_in_the_address(dial, jp_serverapp, own_origin):
    query = f"?token={jp_serverapp.identity_provider.token}"
    peer = await dial("tab", headers={"Origin": own_origin}, query=query)
    assert (await peer.receive())["type"] == "ready"


@pytest.mark.parametrize("name", ("Origin", "origin", "Sec-WebSocket-Origin"))
@pytest.mark.parametrize("origin", ("own", "null", "", *FOREIGN))
async def test_no_page_is_a_client(dial, jp_auth_header, own_origin, name, origin):
    headers = {**jp_auth_header, name: own_origin if origin == "own" else origin}
    assert await dial("client", headers=headers) == 403


async def test_no_page_is_a_client_where_every_origin_is_allowed(
    dial, jp_serverapp, jp_auth_header, monkeypatch
):
    monkeypatch.setitem(jp_serverapp.web_app.settings, "allow_origin", "*")
    headers = {**jp_auth_header, "Origin": "http://evil.example"}
    assert await dial("client", headers=headers) == 403


@pytest.mark.parametrize("query", ("?token={token}", "?a=1&token={token}", "?token=", "?token=x"))
@pytest.mark.parametrize("header", (True, False))
async def test_a_client_has_no_token_in_its_address(
    dial, jp_serverapp, jp_auth_header, query, header
):
    token = jp_serverapp.identity_provider.token
    headers = jp_auth_header if header else {}
    assert await dial("client", headers=headers, query=query.format(token=token)) == 403


async def test_a_refused_client_is_not_signed_in(jp_fetch, jp_serverapp):
    for refused in (
        {"params": {"token": jp_serverapp.identity_provider.token}},
        {"headers": {"Origin": "http://evil.example"}},
    ):
        with pytest.raises(HTTPClientError) as error:
            await jp_fetch("mcp-bridge", "client", **refused)
        assert error.value.code == 403
        assert "signed-in" not in error.value.response.headers.get("Set-Cookie", "")


@pytest.mark.parametrize("end", ENDS)
async def test_a_plain_request_gets_nothing(jp_fetch, end):
    with pytest.raises(HTTPClientError) as error:
        await jp_fetch("mcp-bridge", end)
    assert error.value.code == 400


@pytest.mark.parametrize("end", ENDS)
async def test_other_hosts_names_are_refused_as_everywhere(dial, jp_auth_header, end):
    headers = {**jp_auth_header, "Host": "rebound.example"}
    assert await dial(end, headers=headers) == 403


async def test_only_under_the_base_url(http_server_client, jp_serverapp, jp_auth_header):
    with pytest.raises(HTTPClientError) as error:
        await http_server_client.fetch("/mcp-bridge/client", headers=jp_auth_header)
    assert error.value.code == 404


class Broken(AllowAllAuthorizer):
    def is_authorized(self, handler, user, action, resource):
        raise RuntimeError("broken authorizer")


async def test_the_log_holds_no_token(dial, jp_serverapp, monkeypatch, caplog, own_origin):
    caplog.set_level(logging.DEBUG)
    token = jp_serverapp.identity_provider.token
    query = f"?token={token}"
    settings = jp_serverapp.web_app.settings
    assert await dial("client", query=query) == 403
    peer = await dial("tab", headers={}, query=query)
    await peer.receive()
    monkeypatch.setitem(settings, "authorizer", Recorder(parent=jp_serverapp))
    assert await dial("tab", headers={}, query=query) == 403
    monkeypatch.setitem(settings, "authorizer", Broken(parent=jp_serverapp))
    assert await dial("tab", headers={}, query=query) == 500
    assert "broken authorizer" in caplog.text
    assert token not in caplog.text
