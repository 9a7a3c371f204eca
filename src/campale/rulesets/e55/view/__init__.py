"""What the table shows.

looks        What is shown of a model to whoever looks at it
cards        What is shown of a model, and what anybody may measure from one to another
labels       Wounds and hits as whoever gives them out reads them
telling      What the words tell besides events
trifles      Questions of which no answer can change anything, as far as the side that is asked can see, and fire in v
foretelling  What a move is told beforehand to call for
tallying     How a battle went, for statistics
"""
