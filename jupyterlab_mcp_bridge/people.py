"""Which person a request comes from, for deciding who meets whom."""

from __future__ import annotations

from jupyter_server.auth.identity import (
    IdentityProvider,
    LegacyIdentityProvider,
    PasswordIdentityProvider,
)
from jupyter_server.auth.login import LegacyLoginHandler, LoginFormHandler
from jupyter_server.base.handlers import JupyterHandler


def person_behind(handler: JupyterHandler) -> str | None:
    """The user behind a request, or None where all users are one person.

    With the server's own token and password everyone who is let in gets a
    random name with their cookie, so that names differ between a browser and a
    bridge of the same person, and between two of their requests: they all hold
    the one secret, and are taken as one. Any other way of signing in, that of a
    Hub for one, says who it is.
    """
    provider = handler.identity_provider
    if type(provider) is IdentityProvider:
        # The server honours an overridden get_current_user with this class only.
        stock = handler.get_current_user.__module__ == JupyterHandler.__module__
    else:
        stock = type(provider) in (PasswordIdentityProvider, LegacyIdentityProvider)
    # A login page of another make can sign people in by name.
    if stock and provider.login_handler_class in (LoginFormHandler, LegacyLoginHandler):
        return None
    name = handler.current_user.username
    # Old Hubs give a whole user model for a name.
    return name["name"] if isinstance(name, dict) else name
