"""What the table shows.

looks     What is shown of a model to whoever looks at it
telling   What the words tell besides events
trifles   Questions of which no answer can change anything, as far as the side that is asked can see
tallying  How a battle went, for statistics
"""
