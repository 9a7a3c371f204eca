"""Vehicles (vehicles/*, armour/av-test).

kinds      what each kind of vehicle can do, in a table
locations  structure points by location, AV tests
damage     damage effects, and what a lost location sets off
driving    movement actions, turns, Flat Out
ground     what terrain costs, and the tests that it calls for
"""
