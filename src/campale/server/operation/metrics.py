"""Prometheus metrics of a server, and its health, on a port that strangers cannot reach."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import msgspec
from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

import campale
from campale.server.sockets.wire import Done, Refused, Tells

if TYPE_CHECKING:
    from campale.server.battle.hall import Hall

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
OUTCOMES: dict[type, str] = {Done: "done", Refused: "refused"}


class Metrics:
    """The figures of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        kept: dict[str, Any] = {"registry": self.registry}
        self.answers = Counter("campale_answers", "Answers to questions, by what became of them.", ["outcome"], **kept)
        self.seconds = Histogram(
            "campale_answer_seconds",
            "Seconds from an answer until every screen has been told what follows from it.",
            buckets=SECONDS,
            **kept,
        )
        self.errors = Counter("campale_errors", "Errors in the log, by the part that wrote them.", ["at"], **kept)
        self.taken_over = Counter("campale_taken_over", "Battles taken over from a process that was lost.", **kept)
        self.referred = Counter("campale_referred", "Requests and lines passed on to another process.", **kept)
        ProcessCollector(registry=self.registry)

    @contextmanager
    def answering(self) -> Iterator[Callable[[Tells], Tells]]:
        """Time an answer; the caller passes the reply to the yielded function, which returns it."""
        begun, outcome = time.perf_counter(), "failed"

        def shown(reply: Tells) -> Tells:
            nonlocal outcome
            outcome = OUTCOMES.get(type(reply), outcome)
            return reply

        try:
            yield shown
        finally:
            self.answers.labels(outcome).inc()
            self.seconds.observe(time.perf_counter() - begun)

    @contextmanager
    def watching(self, hall: Hall) -> Iterator[None]:
        """For as long as it lasts, count the hall, and the errors in the log."""
        hearing, counted = Hearing(self.errors), InHall(hall)
        self.registry.register(counted)
        logging.getLogger("campale").addHandler(hearing)
        try:
            yield
        finally:
            logging.getLogger("campale").removeHandler(hearing)
            self.registry.unregister(counted)


class Hearing(logging.Handler):
    """Counts errors as they are logged."""

    def __init__(self, errors: Counter) -> None:
        super().__init__(logging.ERROR)
        self.errors = errors

    def emit(self, record: logging.LogRecord) -> None:
        self.errors.labels(record.name.removeprefix("campale.")).inc()


class InHall(Collector):
    """The content of the hall at the moment of a request."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall

    def collect(self) -> Iterable[GaugeMetricFamily]:
        people, spectators = connected(self.hall)
        yield GaugeMetricFamily("campale_battles_live", "Battles in memory.", len(self.hall.lives))
        lines = GaugeMetricFamily("campale_people_connected", "Connections to battles.", labels=["as"])
        lines.add_metric(["player"], people)
        lines.add_metric(["spectator"], spectators)
        yield lines


def connected(hall: Hall) -> tuple[int, int]:
    """The numbers of connections with a seat, and of spectators."""
    here = [(side, number) for live in list(hall.lives.values()) for side, number in list(live.here.items())]
    return sum(n for side, n in here if side is not None), sum(n for side, n in here if side is None)


# ---------------------------------------------------------------- the port


class Watched(ThreadingHTTPServer):
    """``/metrics`` and ``/health`` of a hall, on a separate address."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int], hall: Hall) -> None:
        self.hall = hall
        super().__init__(address, Asked)

    @contextmanager
    def served(self) -> Iterator[int]:
        """Serve in a thread for as long as it lasts; yields the port."""
        thread = threading.Thread(target=self.serve_forever, name="watched", daemon=True)
        thread.start()
        try:
            yield int(self.server_address[1])
        finally:
            self.shutdown()
            thread.join()
            self.server_close()


class Asked(BaseHTTPRequestHandler):
    """One request."""

    server: Watched
    timeout = 10.0

    def do_GET(self) -> None:
        if self.path == "/metrics":
            self.tell(200, CONTENT_TYPE_LATEST, generate_latest(self.server.hall.metrics.registry))
        elif self.path == "/health":
            is_well, (people, spectators) = self.server.hall.store.is_well(), connected(self.server.hall)
            found = {
                "version": campale.__version__,
                "database": is_well,
                "battles": len(self.server.hall.lives),
                "players": people,
                "spectators": spectators,
            }
            self.tell(200 if is_well else 503, "application/json", msgspec.json.encode(found))
        else:
            self.tell(404, "text/plain; charset=utf-8", b"/metrics, /health\n")

    def tell(self, status: int, media: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def version_string(self) -> str:
        return "campale"

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: a monitor that asks every few seconds is not worth a line."""
