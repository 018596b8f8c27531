# SPDX-License-Identifier: Apache-2.0
"""What the tests have in common: a running Madang named by MADANG_BASE_URL."""

import os
import random
import secrets

import pytest

import books
import living
import people
import push_services
import upstream

SEED = os.environ.get("MADANG_TEST_SEED") or str(secrets.randbits(32))


def pytest_addoption(parser):
    parser.addoption("--requests", type=int, default=3000, help="how many requests test_generated makes")


def pytest_report_header():
    return f"MADANG_TEST_SEED={SEED}"


@pytest.fixture
def dice(request):
    """Chance that comes again with the same seed."""
    return random.Random(f"{SEED} {request.node.nodeid}")


@pytest.fixture(autouse=True, scope="session")
def nobody_ends():
    """Whatever the tests do, the processes that served the first serve the last."""
    before = living.pids()
    yield
    assert living.pids() == before, "a process ended while the tests ran"


@pytest.fixture(autouse=True, scope="session")
def others():
    """A catalogue of GIFs outside; it has nothing until a test gives it something."""
    with upstream.Giphy() as giphy:
        yield giphy


@pytest.fixture(autouse=True, scope="session")
def outside():
    """Sources of books outside; the same."""
    with books.Books() as stand:
        yield stand


@pytest.fixture(autouse=True, scope="session")
def pushing():
    """Apple, Firebase and a push service of browsers outside; they take everything until a test says otherwise."""
    if not push_services.PLACE:
        yield None
        return
    with push_services.PushServices() as services:
        yield services
        assert not services.complaints, f"what no provider takes: {services.complaints[:10]}"


def pytest_configure(config):
    if not people.BASE_URL:
        pytest.exit("MADANG_BASE_URL must name a running Madang, such as http://localhost:3000", returncode=2)


def pytest_collection_modifyitems(items):
    # All answers are looked at when all have been given.
    last = ["test_shapes", "test_secrets"]
    items.sort(key=lambda item: last.index(item.module.__name__) + 1 if item.module.__name__ in last else 0)


@pytest.fixture(scope="session")
def ada():
    return people.member("ada")


@pytest.fixture(scope="session")
def minji():
    return people.member("minji")


def at_home(person):
    """Whose app has asked who it is, as apps do first: from then on everybody can name them in a post."""
    assert person.id
    return person


@pytest.fixture
def newcomer():
    """Somebody to whom nothing has happened yet."""
    return at_home(people.member("new"))


@pytest.fixture
def another():
    return at_home(people.member("other"))
