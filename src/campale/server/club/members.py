"""The members of a club: they join by invitation, sign in and out, and leave.

The database holds only hashes of their secrets.
"""

from __future__ import annotations

import math
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, func, select, update
from sqlalchemy.exc import IntegrityError

from campale.server.battle.draft import Denied, TableError, Taken, Unknown
from campale.server.battle.seats import LONGEST_TOKEN, Keys, hashed
from campale.server.club.phrases import LONGEST as LONGEST_PHRASE
from campale.server.club.phrases import Phrases, checked, folded, is_text, name_checked
from campale.server.club.seasons import leave_all
from campale.server.club.tables import (
    ACCOUNT,
    ATTEMPT,
    INVITATION,
    SESSION,
    AccountRow,
    InvitationRow,
    SessionRow,
)
from campale.server.club.ties import take_names_out
from campale.server.database.store import Store

DAY, HOUR = 86_400.0, 3_600.0
SESSION_LASTS = 30 * DAY
"""A session ends after this time without use."""

FREE_FAILURES, FIRST_LOCK, LONGEST_LOCK = 5, 30.0, 900.0
"""After this many wrong phrases in a row a name is blocked; each further one doubles the time."""

FORGIVEN = DAY
"""Wrong phrases are forgotten after this time."""

MOST_INVITATIONS, MOST_SESSIONS = 200, 20
MEMBER, ORGANISER = "member", "organiser"


class SignedOut(TableError):
    """Nobody is signed in with this token."""

    status = 401

    def __init__(self) -> None:
        super().__init__("club.signed-out")


class Session(msgspec.Struct, frozen=True):
    """A new session: the token, shown once, and the account."""

    token: str
    account: AccountRow


class Members:
    """The accounts over a database. The methods block: they are called in threads."""

    def __init__(self, store: Store, keys: Keys, phrases: Phrases) -> None:
        self.store, self.keys, self.phrases = store, keys, phrases

    # ------------------------------------------------------------------ accounts

    def are_there(self) -> bool:
        with self.store.reading() as connection:
            return connection.execute(select(ACCOUNT.c.id).limit(1)).first() is not None

    def account(self, id_: str) -> AccountRow:
        """The account of an id. Raises Unknown."""
        found = [] if "\0" in id_ else self.store.rows(select(ACCOUNT).where(ACCOUNT.c.id == id_), AccountRow)
        if not found:
            raise Unknown("club.no-member")
        return found[0]

    def named(self, name: str) -> AccountRow | None:
        if "\0" in name or not is_text(name):
            return None
        return next(iter(self.store.rows(select(ACCOUNT).where(ACCOUNT.c.folded == folded(name)), AccountRow)), None)

    def all(self) -> list[AccountRow]:
        return self.store.rows(select(ACCOUNT).order_by(ACCOUNT.c.folded), AccountRow)

    def last_seen(self) -> dict[str, float]:
        query = select(SESSION.c.account, func.max(SESSION.c.used)).group_by(SESSION.c.account)
        with self.store.reading() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}

    def sessions(self, account: str) -> list[SessionRow]:
        return self.store.rows(select(SESSION).where(SESSION.c.account == account), SessionRow)

    def of_token(self, token: str) -> AccountRow:
        """The account signed in with a token. Raises SignedOut."""
        now = self.keys.now()
        if not token or len(token) > LONGEST_TOKEN:
            raise SignedOut
        is_it = SESSION.c.token == hashed(token)
        query = select(SESSION).where(is_it, SESSION.c.used > now - SESSION_LASTS)
        found = self.store.rows(query, SessionRow)
        if not found:
            raise SignedOut
        if found[0].used < now - HOUR:
            with self.store.writing() as connection:
                connection.execute(update(SESSION).where(is_it).values(used=now))
        try:
            return self.account(found[0].account)
        except Unknown:
            raise SignedOut from None

    # ------------------------------------------------------------------ signing in and out

    def sign_in(self, name: str, phrase: str) -> Session:
        """Sign in. Raises TableError: the same for an unknown name and for a wrong phrase."""
        self._count(name)
        account = self.named(name)
        kept = account.phrase if account is not None else None
        if not self.phrases.fits(kept, clipped(phrase)) or account is None:
            raise TableError("club.wrong", 401)
        with self.store.writing() as connection:
            connection.execute(delete(ATTEMPT).where(ATTEMPT.c.name == hashed(folded(name))))
            return self._session(connection, account)

    def _count(self, name: str) -> None:
        """Count an attempt before it is judged, so simultaneous attempts count like successive ones.

        Unknown names are counted in the same way. Raises TableError while the name is blocked.
        """
        now, key = self.keys.now(), hashed(folded(name))
        is_it, is_old = ATTEMPT.c.name == key, ATTEMPT.c.at < now - FORGIVEN
        with self.store.writing() as connection:
            connection.execute(delete(ATTEMPT).where(is_it, is_old))
            counted = update(ATTEMPT).where(is_it, ATTEMPT.c.until <= now)
            changed = connection.execute(counted.values(failures=ATTEMPT.c.failures + 1, at=now)).rowcount
            found = connection.execute(select(ATTEMPT.c.failures, ATTEMPT.c.until).where(is_it)).first()
            if found is not None and not changed:
                raise TableError("club.locked", 429, seconds=max(1, math.ceil(found.until - now)))
            failures = 1 if found is None else found.failures
            until = now + lock_after(failures)
            if found is None:
                insert(connection, ATTEMPT, {"name": key, "failures": 1, "until": until, "at": now})
            else:
                connection.execute(update(ATTEMPT).where(is_it).values(until=until))

    def _session(self, connection: Connection, account: AccountRow) -> Session:
        token, now = self.keys.token(), self.keys.now()
        mine = SESSION.c.account == account.id
        kept = select(SESSION.c.token).where(mine).order_by(SESSION.c.used.desc()).limit(MOST_SESSIONS - 1)
        newest = list(connection.execute(kept).scalars())
        connection.execute(delete(SESSION).where(mine, SESSION.c.token.not_in(newest)))
        row = SessionRow(hashed(token), account.id, now, now)
        connection.execute(SESSION.insert(), msgspec.structs.asdict(row))
        return Session(token, account)

    def sign_out(self, token: str, everywhere: bool = False) -> None:
        account = self.of_token(token)
        which = SESSION.c.account == account.id if everywhere else SESSION.c.token == hashed(token)
        with self.store.writing() as connection:
            connection.execute(delete(SESSION).where(which))

    def change_phrase(self, account: AccountRow, old: str, new: str) -> Session:
        """Change the pass phrase; all other sessions end. Raises TableError."""
        checked(new, account.name)
        self.judge(account, old)
        kept = self.phrases.hash(new)
        with self.store.writing() as connection:
            self._with_phrase(connection, account.id, kept)
            return self._session(connection, account)

    def judge(self, account: AccountRow, phrase: str) -> None:
        """Check the phrase of an account that is already signed in. Raises TableError."""
        self._count(account.name)
        if not self.phrases.fits(account.phrase, clipped(phrase)):
            raise Denied("club.wrong-phrase")
        with self.store.writing() as connection:
            connection.execute(delete(ATTEMPT).where(ATTEMPT.c.name == hashed(account.folded)))

    def _with_phrase(self, connection: Connection, account: str, kept: str) -> None:
        connection.execute(update(ACCOUNT).where(ACCOUNT.c.id == account).values(phrase=kept))
        connection.execute(delete(SESSION).where(SESSION.c.account == account))

    # ------------------------------------------------------------------ invitations

    def invite(self, role: str, days: float, note: str = "", by: str | None = None, account: str | None = None) -> str:
        """The code of a new invitation, shown once. Raises TableError if there are too many."""
        code, now = self.keys.code(), self.keys.now()
        row = InvitationRow(self.keys.battle(), hashed(code), note, role, account, by, now, now + days * DAY)
        with self.store.writing() as connection:
            is_open = INVITATION.c.until > now
            query = select(func.count()).select_from(INVITATION).where(is_open)
            if (connection.execute(query).scalar() or 0) >= MOST_INVITATIONS:
                raise Taken("club.too-many-invitations", limit=MOST_INVITATIONS)
            if account is not None:
                connection.execute(delete(INVITATION).where(INVITATION.c.account == account))
            connection.execute(INVITATION.insert(), msgspec.structs.asdict(row))
        return code

    def invitations(self, by: str | None = None) -> list[InvitationRow]:
        """The open invitations of one organiser or of all."""
        query = select(INVITATION).where(INVITATION.c.until > self.keys.now()).order_by(INVITATION.c.until)
        return self.store.rows(query if by is None else query.where(INVITATION.c.by == by), InvitationRow)

    def withdraw(self, invitation: str) -> None:
        """Withdraw an invitation. Raises Unknown."""
        if "\0" in invitation:
            raise Unknown("club.no-invitation")
        with self.store.writing() as connection:
            if connection.execute(delete(INVITATION).where(INVITATION.c.id == invitation)).rowcount != 1:
                raise Unknown("club.no-invitation")

    def invited(self, code: str) -> InvitationRow:
        """The invitation of a code. Raises Unknown in the same way for a used, an expired and an invented code."""
        is_it = INVITATION.c.code == hashed(code[:LONGEST_TOKEN])
        found = self.store.rows(select(INVITATION).where(is_it, INVITATION.c.until > self.keys.now()), InvitationRow)
        if not found:
            raise Unknown("club.no-invitation")
        return found[0]

    def come(self, code: str, name: str, phrase: str) -> Session:
        """Join by an invitation, which is then used up. Raises TableError."""
        found = self.invited(code)
        if found.account is not None:
            account = self.account(found.account)
            kept = self.phrases.hash(checked(phrase, account.name))
            account = msgspec.structs.replace(account, phrase=kept)
        else:
            name = name_checked(name)
            kept = self.phrases.hash(checked(phrase, name))
            id_, role, now = self.keys.battle(), found.role, self.keys.now()
            account = AccountRow(id_, name, folded(name), kept, role, now)
        try:
            return self._came(found, account)
        except IntegrityError:
            raise Taken("club.name-taken") from None

    def _came(self, found: InvitationRow, account: AccountRow) -> Session:
        with self.store.writing() as connection:
            if connection.execute(delete(INVITATION).where(INVITATION.c.id == found.id)).rowcount != 1:
                raise Unknown("club.no-invitation")
            if found.account is not None:
                self._with_phrase(connection, account.id, account.phrase)
                connection.execute(delete(ATTEMPT).where(ATTEMPT.c.name == hashed(account.folded)))
            else:
                connection.execute(ACCOUNT.insert(), msgspec.structs.asdict(account))
            return self._session(connection, account)

    # ------------------------------------------------------------------ roles and leaving

    def with_role(self, account: str, role: str) -> None:
        """Change a role. Raises Unknown, and Taken if no organiser would be left."""
        found = self.account(account)
        with self.store.writing() as connection:
            if role != ORGANISER:
                self._check_last(connection, account)
            connection.execute(update(ACCOUNT).where(ACCOUNT.c.id == found.id).values(role=role))

    def remove(self, account: str) -> list[str]:
        """Remove an account with its sessions, the ties of its seats and its name in battles.

        Returns the battles in play, which must be read again. Raises Unknown, Taken.
        """
        found = self.account(account)
        with self.store.writing() as connection:
            self._check_last(connection, account)
            connection.execute(delete(ATTEMPT).where(ATTEMPT.c.name == hashed(found.folded)))
            played = take_names_out(connection, account)
            leave_all(connection, account)
            connection.execute(delete(ACCOUNT).where(ACCOUNT.c.id == account))
        return played

    def _check_last(self, connection: Connection, account: str) -> None:
        """Check that an organiser stays as long as there are other members."""
        connection.execute(select(ACCOUNT.c.id).where(ACCOUNT.c.role == ORGANISER).with_for_update()).all()
        roles = {row[0]: row[1] for row in connection.execute(select(ACCOUNT.c.id, ACCOUNT.c.role))}
        others = [role for id_, role in roles.items() if id_ != account]
        if roles.get(account) == ORGANISER and others and ORGANISER not in others:
            raise Taken("club.last-organiser")

    def forget(self) -> None:
        """Delete expired sessions, invitations and attempts."""
        now = self.keys.now()
        with self.store.writing() as connection:
            connection.execute(delete(SESSION).where(SESSION.c.used < now - SESSION_LASTS))
            connection.execute(delete(INVITATION).where(INVITATION.c.until < now))
            connection.execute(delete(ATTEMPT).where(ATTEMPT.c.at < now - FORGIVEN))


def lock_after(failures: int) -> float:
    """The seconds for which a name is blocked after a number of wrong phrases in a row."""
    over = failures - FREE_FAILURES
    return 0.0 if over < 0 else min(LONGEST_LOCK, FIRST_LOCK * 2.0 ** min(over, 20))


def insert(connection: Connection, table: Any, row: dict[str, Any]) -> None:
    """Insert a row. Raises TableError if another process has written it at the same time."""
    try:
        connection.execute(table.insert(), row)
    except IntegrityError:
        raise TableError("club.locked", 429, seconds=1) from None


def clipped(phrase: str) -> str:
    """Cut a phrase of impossible length, so that it costs no more to check."""
    return phrase[: LONGEST_PHRASE + 1] if is_text(phrase) else ""
