"""nginx and Caddy for the tests of the documented proxies: ``python -m tools.proxies`` looks for them.

As root on Debian or its kin it installs what is missing.
"""

from __future__ import annotations

import shutil
import sys

from tools.chromium import install, may_install

PACKAGES = {"nginx": "nginx-light", "caddy": "caddy"}
MISSING = (
    "The tests of the documented proxies are left out: {missing} was not found, and can be installed only as root on "
    "Debian or its kin. Install it (apt-get install {package})."
)


def missing() -> list[str]:
    """The proxies that are not on this machine."""
    return [name for name in PACKAGES if shutil.which(name) is None]


def told(name: str) -> str:
    return MISSING.format(missing=name, package=PACKAGES[name])


def main() -> int:
    """Always 0: what is missing is said, and those who must not go without find their tests left out."""
    wanted = missing()
    if wanted and may_install():
        sys.stderr.write(f"Installing Debian's {', '.join(wanted)} for the tests of the documented proxies\n")
        install(*(PACKAGES[name] for name in wanted))
    for name in missing():
        sys.stderr.write(f"{told(name)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
