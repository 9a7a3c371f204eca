"""The commands on a server's database: all of it into a file, and back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from campale.cli.common import Sorry, say
from campale.cli.serving import settings_of

if TYPE_CHECKING:
    from campale.server.database.store import Store

Database = Annotated[
    str, typer.Option(metavar="URL", help="As of campale serve: sqlite:///FILE or postgresql://...; default: yours.")
]


def add_to(app: typer.Typer) -> None:
    app.command(epilog="Example: campale backup club.campale --database postgresql://me@localhost/club")(backup)
    app.command(epilog="Example: campale restore club.campale --database sqlite:///club.db")(restore)


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write; it must not be there yet.")],
    database: Database = "",
) -> None:
    """Write all that a server keeps into one file, while battles go on."""
    from campale.server.database.backup import backup as backed_up

    if file.exists():
        raise Sorry(say("file-there", file=file))
    with opened(database, file, "cannot-write") as store:
        counted = backed_up(store, file)
    typer.echo(say("backed-up", battles=counted.get("battle", 0), rows=sum(counted.values()), file=file))


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What campale backup wrote.")],
    database: Database = "",
    replace: Annotated[bool, typer.Option("--replace", help="Give up what the database holds.")] = False,
) -> None:
    """Put a backup into a database of either kind. No server may play on it meanwhile."""
    from campale.server.database.backup import restore as restored

    with opened(database, file, "cannot-read") as store:
        counted = restored(store, file, replace)
    typer.echo(say("restored", battles=counted.get("battle", 0), rows=sum(counted.values()), file=file))


@contextmanager
def opened(database: str, file: Path, unusable: str) -> Iterator[Store]:
    """The opened database; errors become one sentence."""
    from sqlalchemy.exc import SQLAlchemyError

    from campale.server.database.backup import BackupError
    from campale.server.database.store import Store, StoreFailed

    try:
        store = Store(settings_of(database).database)
        try:
            yield store
        finally:
            store.close()
    except BackupError as error:
        raise Sorry(say(error.fault, file=file)) from None
    except OSError as error:
        raise Sorry(say(unusable, file=file, error=error.strerror or str(error))) from None
    except (SQLAlchemyError, StoreFailed, ImportError, TypeError, ValueError) as error:
        raise Sorry(say("no-database", error=str(error.__cause__ or error).splitlines()[0])) from None
