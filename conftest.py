"""Whatever is tested of every ruleset is tested of those too that only tests play."""

from tests.toys import register

register()
