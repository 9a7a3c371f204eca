"""Chapter 10: playing the game.

agreeing     The players' agreements before the game
generator    A table of scenery at random (10.1/scenery)
scenery      Scenery
preparation  Before the first turn (10)
deployment   Deployment (10.3)
holding_back Writing down the reserves (10.5/reserves, 10.5/outflank)
reserves     Arriving from reserve (10.5)
deep_strike  Deep strike (10.5)
arrival      The state of a unit that has come from reserve (10.5)
secrets      What a side may not know (10.5/reserve-secrecy, 10.5/arrival-secrecy), and imagining it
missions     Missions (10.2)
"""
