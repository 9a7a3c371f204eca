"""Chapter 2: hitting a target, wounds, saves, losses.

attacks      Hits and wounds as values
wounding     Rolling to wound (2.1)
allocation   Wound allocation (2.2)
wound_order  The order of wounds (2.3/wound-order)
resolving    The resolution of hits (2)
saves        Saving throws (2.3)
cover        Cover (2.3.1, 7.3/vehicle-cover)
casualties   Casualties (1.1/casualty) and units that cease to exist (1.1/unit-ceases)
"""
