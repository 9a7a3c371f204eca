"""What the table shows.

looks       What a model shows to a viewer
cards       A model's card, and the distances anybody may measure
labels      Wounds and hits as their owner reads them when allocating
telling     Texts apart from events
trifles     Questions whose answer cannot matter to the side that is asked, and fire in vain
foretelling What a move will entail
tallying    How a battle went, for statistics
"""
