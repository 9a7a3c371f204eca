"""Psychology and falling back.

psychology   Tests based on PSI
falling_back Fall Back
bodyguard    Bodyguards
"""
