"""Structures and terrain pieces as targets (structures/*).

pieces    AV and structure points; which pieces can be damaged
damage    the AV test of a piece, and its end
collapse  the collapse of an intact structure
"""
