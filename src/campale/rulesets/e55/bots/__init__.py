"""What bots go by.

advice      What answers are worth to a bot that plays nothing through: who moves and where, faces whom, charges
appraisal   How well a side stands, in the eyes of a bot
forecast    What units may do to each other from here on, in the eyes of a bot
intentions  What a unit may want from a move, as proposals (towards, into cover, up, away), and how it closes up
outlook     The table as such a bot sees it, and what a squad may expect of a place
powers      Which psychic powers a bot casts, and on whom
posts       About which points a unit is best deployed, as a player would propose it
"""
