"""Chapter 5: psychic powers.

psychic  Chapter 5
powers   What psychic powers in force do (chapter 5), as other chapters ask for it
"""
