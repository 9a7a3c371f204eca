"""A browser for the tests of the page: ``python -m tools.chromium`` looks for one, or as root installs Debian's."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

VARIABLE = "CAMPALE_CHROMIUM"
SHELL = "chromium-headless-shell"
"""Chromium without windows of its own, a package of Debian's: the tests take two thirds of the time with it."""

NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
IMPATIENT = ("-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=20")
MISSING = (
    "The tests of the page in a browser are left out: no Chromium was found, and it can be installed only as root on "
    f"Debian or its kin. Install it (apt-get install chromium), or set {VARIABLE} to where one is."
)


def chromium() -> str | None:
    """Where a browser is."""
    named = os.environ.get(VARIABLE)
    return named or next((found for name in NAMES if (found := shutil.which(name))), None)


def may_install() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def install(*packages: str) -> None:
    """Packages of Debian's; it is no error where they cannot be had."""
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in (("update", "-q"), ("install", "-q", "-y", "--no-install-recommends", *packages)):
        subprocess.run(["apt-get", *IMPATIENT, *words], env=env, stdout=subprocess.DEVNULL, check=False)


def main() -> int:
    """Always 0: what is missing is said, and those who must not go without find their tests left out."""
    if VARIABLE not in os.environ and shutil.which(SHELL) is None and may_install():
        sys.stderr.write(f"Installing Debian's {SHELL} for the tests of the page\n")
        install(SHELL)
    if chromium() is None and may_install():
        sys.stderr.write("Installing Debian's chromium for the tests of the page\n")
        install("chromium")
    if chromium() is None:
        sys.stderr.write(f"{MISSING}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
