"""The progress of compiling the geometry, while battles can already be played."""

from __future__ import annotations

import msgspec
from fastapi import APIRouter, Response

from campale.server.routes.openapi import answer, gives
from campale.table.warming import progress

router = APIRouter(prefix="/api/compiling", tags=["compiling"])


class Compiled(msgspec.Struct, frozen=True):
    """The number of compiled parts of the geometry, out of ``of``. Bots that think wait until all are done."""

    done: int
    of: int


@router.get("", **gives(Compiled, text="How much of the geometry is compiled."))
async def compiling() -> Response:
    return answer(Compiled(*progress()))
