"""Chapter 4: leadership and morale.

leadership    Chapter 4
morale        Chapter 4.1
rout          Chapter 4.2
falling_back  Chapter 4.4
breakthrough  Chapter 4.3
"""
