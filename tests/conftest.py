"""How long an example takes never decides a test; tests that share battles, servers and pages share a process."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from _pytest.nodeid import coerce_node_id
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

settings.register_profile("campale", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("campale")

ON_ALL_BOOKS = ("src/campale/conformance/", "tests/screen/test_screens.py")
BOOK = re.compile(r"\[(?:\d+-)?([a-z_]\w*)")


class BySharing(LoadScopeScheduling):  # type: ignore[misc]
    """What is played once for a book is played in one process; the tests of other files go by file.

    ``--dist loadgroup`` groups nothing with pytest 9.2: https://github.com/pytest-dev/pytest-xdist/issues/1386
    """

    def _split_scope(self, nodeid: str) -> str:
        book = BOOK.search(nodeid) if nodeid.startswith(ON_ALL_BOOKS) else None
        return nodeid.partition("::")[0] if book is None else book[1]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> BySharing:
    """In the order of the files: those with whole battles in a browser come early, those without come last."""
    config.option.loadscopereorder = False
    return BySharing(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every test an id of its own: the scheduler keeps tests by their ids, and those of routes share one."""
    for item in items:
        if item.parent is not None and not item.nodeid.endswith(item.name):
            item._id = coerce_node_id(f"{item.parent.nodeid}::{item.name}")
    shared = [one for one, count in Counter(item.nodeid for item in items).items() if count > 1]
    if shared:
        raise pytest.UsageError(f"several tests have the id {shared[0]}: only one of them would run")
