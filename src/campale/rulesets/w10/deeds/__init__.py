"""What abilities do at a moment: each effect of the vocabulary by one function.

perform   an ability that is used: dice first, then what it does
simple    wounds regained and suffered, models returned, command points, effects given for a while
moving    redeploying, moving, repositioned and replaced units
attacking shooting again and back, fighting alone, acting on death
"""
