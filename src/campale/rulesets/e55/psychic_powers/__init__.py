"""Chapter 5: psychic powers.

psychic Chapter 5
powers  The effects of psychic powers in force (chapter 5), as other chapters need them
"""
