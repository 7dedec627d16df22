"""What `pip install` puts where."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DATA = "share/jupyter/labextensions/jupyterlab-mcp-bridge-extension/"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of this tree with a stand-in for the built labextension: its files, by name."""
    tree = tmp_path_factory.mktemp("tree")
    for name in (".gitignore", "LICENSE", "README.md", "install.json", "package.json"):
        shutil.copy(ROOT / name, tree)
    shutil.copy(ROOT / "pyproject.toml", tree)
    ignored = shutil.ignore_patterns("labextension", "__pycache__", "_version.py")
    for name in ("jupyter-config", "jupyterlab_mcp_bridge", "test/relay"):
        shutil.copytree(ROOT / name, tree / name, ignore=ignored)
    static = tree / "jupyterlab_mcp_bridge" / "labextension" / "static"
    static.mkdir(parents=True)
    (static / "style.js").write_text("")
    (static.parent / "package.json").write_text("{}")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tree / "out")]
    environment = {**os.environ, "HATCH_JUPYTER_BUILDER_SKIP_NPM": "1"}
    done = subprocess.run(build, cwd=tree, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (path,) = (tree / "out").iterdir()
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def only(wheel, ending):
    (name,) = (name for name in wheel if name.endswith(ending))
    return wheel[name]


def test_the_labextension_is_found(wheel):
    assert only(wheel, f"data/{DATA}package.json") == "{}"
    installed = json.loads(only(wheel, f"data/{DATA}install.json"))
    assert installed["packageName"] == "jupyterlab_mcp_bridge"


def test_the_labextension_has_the_name_of_its_npm_package():
    name = json.loads((ROOT / "package.json").read_text())["name"]
    assert DATA.rstrip("/").endswith(f"/{name}")


def test_the_server_extension_is_turned_on(wheel):
    name = "data/etc/jupyter/jupyter_server_config.d/jupyterlab_mcp_bridge.json"
    config = json.loads(only(wheel, name))
    assert config["ServerApp"]["jpserver_extensions"] == {"jupyterlab_mcp_bridge": True}


def test_the_version_is_that_of_the_labextension(wheel):
    version = json.loads((ROOT / "package.json").read_text())["version"]
    metadata = only(wheel, ".dist-info/METADATA")
    assert f"\nVersion: {version}\n" in metadata
    assert f"'{version}'" in only(wheel, "jupyterlab_mcp_bridge/_version.py").replace('"', "'")


def test_the_licence_is_in_it(wheel):
    assert "BSD 3-Clause" in only(wheel, "licenses/LICENSE")


def test_nothing_else_is_in_it(wheel):
    modules = {path.name for path in (ROOT / "jupyterlab_mcp_bridge").glob("*.py")}
    package = {name for name in wheel if name.startswith("jupyterlab_mcp_bridge/")}
    assert package == {f"jupyterlab_mcp_bridge/{name}" for name in {*modules, "_version.py"}}
    assert not [name for name in wheel if "test" in name.lower()]
