"""How fast Campale is: each module runs as ``python -m benchmarks.<name>`` and gives its figures from ``run()``."""
