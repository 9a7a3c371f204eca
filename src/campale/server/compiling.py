"""How far the compiling of the geometry is, while battles can be played already."""

from __future__ import annotations

import msgspec
from fastapi import APIRouter, Response

from campale.server.openapi import answer, gives
from campale.table.warming import progress

router = APIRouter(prefix="/api/compiling", tags=["compiling"])


class Compiled(msgspec.Struct, frozen=True):
    """So many parts of the geometry are compiled, ``of`` so many. Until all are, bots that think wait."""

    done: int
    of: int


@router.get("", **gives(Compiled, text="How much of the geometry is compiled."))
async def compiling() -> Response:
    return answer(Compiled(*progress()))
