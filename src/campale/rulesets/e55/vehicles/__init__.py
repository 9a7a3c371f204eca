"""Chapter 7: vehicles.

vehicles     Vehicles (7.1, 7.2, 7.9, and the parts of 7.13 to 7.16 about moving)
legs         The legs of vehicles (7.2)
driving      The questions to a unit of vehicles that drives (7.2)
vehicle_hits Hits on vehicles (7.3, 7.4, 7.17)
damage       Damage to vehicles (7.5 to 7.8)
transports   Transports (7.10, 7.12)
squadrons    Squadrons (7.17)
"""
