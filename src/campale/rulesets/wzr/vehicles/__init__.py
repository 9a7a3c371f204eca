"""Vehicles (vehicles/*, armour/av-test).

kinds      what each kind of vehicle can do, as a table
locations  structure points by location, AV tests
damage     Damage Effects, and the effects of a lost location
driving    movement actions, turns, Flat Out
ground     the cost of terrain, and the tests that it causes
"""
