"""What the table shows.

looks    What a model shows to a viewer
telling  Texts apart from events
trifles  Questions whose answer cannot matter to the side that is asked
tallying How a battle went, for statistics
"""
