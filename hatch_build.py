"""The page of the table goes into the package: built anew where its sources have changed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface):  # type: ignore[type-arg,misc]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, self.root)
        from tools.page import CannotBuild, build

        try:
            build(Path(self.root), self.app.display_info)
        except CannotBuild as error:
            self.app.abort(str(error))
        finally:
            sys.path.remove(self.root)
