"""The record of a battle, saved battles, their replay and audit, and how they went."""
