"""What bots go by.

appraisal   How well a side stands, in the eyes of a bot
forecast    What units may do to each other from here on, in the eyes of a bot
intentions  What a unit may want from a move, as proposals (towards, into cover, up, away), and how it closes up
posts       About which points a unit is best deployed, as a player would propose it
"""
