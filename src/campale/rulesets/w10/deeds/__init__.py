"""What abilities do at a moment: one function for each effect of the vocabulary.

perform   an ability that is used: dice first, then its effects
simple    wounds regained and suffered, models returned, command points, effects given for a while
moving    redeploying, moving, repositioned and replaced units
attacking shooting again and back, fighting alone, acting on death
"""
