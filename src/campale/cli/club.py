"""The commands that begin a club."""

from __future__ import annotations

from typing import Annotated

import typer

from campale.cli.common import Sorry, language, say
from campale.cli.database import Database

DAYS = 7.0


def add_to(app: typer.Typer) -> None:
    group = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="A club on this server: its organisers.")
    group.command(epilog='Example: campale club organiser "Ada". It can be done while the table is served.')(organiser)
    app.add_typer(group, name="club")


def organiser(
    name: Annotated[str, typer.Argument(help="The member who becomes organiser; or a name for somebody new.")],
    database: Database = "",
) -> None:
    """Make a member an organiser, or write an invitation for somebody who becomes one."""
    from campale.cli.serving import check_database, settings_of
    from campale.server.battle.draft import TableError
    from campale.server.battle.seats import Keys
    from campale.server.club.members import ORGANISER, Members
    from campale.server.club.phrases import Phrases, name_checked
    from campale.server.database.store import Store
    from campale.server.told import told

    settings = settings_of(database, [], [])
    check_database(settings)
    store = Store(settings.database, settings.is_durable)
    try:
        members = Members(store, Keys(), Phrases())
        account = members.named(name_checked(name))
        if account is not None:
            members.with_role(account.id, ORGANISER)
            typer.echo(say("club-organiser", name=account.name))
            return
        code = members.invite(ORGANISER, DAYS, name_checked(name))
        typer.echo(say("club-invited", name=name, path=f"/club/come/{code}", days=round(DAYS)))
    except TableError as error:
        raise Sorry(told(language.get(), error.word, **error.values)) from None
    finally:
        store.close()
