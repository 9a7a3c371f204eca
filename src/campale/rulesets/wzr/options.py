"""Rulings that a club may settle differently, agreed before the forces are built."""

from __future__ import annotations

from dataclasses import dataclass

from campale.referee.ruleset import Switch


@dataclass(frozen=True)
class Options:
    """The options of a battle. The defaults are the ledger's readings."""

    advanced: bool = True
    resources_once: bool = False
    flat_out_six: bool = False
    long_range: bool = False
    four_covers: bool = False
    avv5_for_all: bool = False
    pinning_any_loss: bool = False
    pass_for_free_strike: bool = False
    double_hit_by_mishap: bool = False
    hurl_drop: bool = True


SWITCHES = (
    Switch(
        "advanced",
        "setup/modes",
        {
            "en": "Advanced game, with a deck of cards for each player",
            "it": "Gioco avanzato, con un mazzo per giocatore",
        },
        default=True,
    ),
    Switch(
        "resources_once",
        "setup/resources",
        {
            "en": "Burned Resource cards are never turned up again",
            "it": "Le carte Risorsa accese non si rigirano più",
        },
    ),
    Switch(
        "flat_out_six",
        "vehicles/flat-out",
        {"en": "Flat Out is 6 inches alone", "it": "A tutto gas vale 6 pollici soltanto"},
    ),
    Switch(
        "long_range",
        "shooting/long-range-option",
        {"en": "Beyond half range: −2 RS", "it": "Oltre metà gittata: −2 RS"},
    ),
    Switch(
        "four_covers",
        "shooting/three-covers",
        {
            "en": "Only four pieces of cover bar a target",
            "it": "Solo quattro coperture escludono un bersaglio",
        },
    ),
    Switch(
        "avv5_for_all",
        "vehicles/avv5-target-sense",
        {
            "en": "Every weapon of AVV 5 or more has Target Sense, at any target",
            "it": "Ogni arma con AVV 5 o più ha Rilevare, su qualsiasi bersaglio",
        },
    ),
    Switch(
        "pinning_any_loss",
        "morale/pinning-trigger",
        {
            "en": "Any loss to shooting calls for a pinning test",
            "it": "Qualsiasi perdita da tiro impone il test di inchiodamento",
        },
    ),
    Switch(
        "pass_for_free_strike",
        "movement/no-accidental-engagement",
        {
            "en": "A model may pass through an enemy's reach at the price of a free strike",
            "it": "Un modello può attraversare l'areale di un nemico al prezzo di un colpo gratuito",
        },
    ),
    Switch(
        "double_hit_by_mishap",
        "abilities/rapid-deployment-double-hit",
        {
            "en": "Rapid Deployment: the double hit comes with 16-20 on the mishap table",
            "it": "Schieramento Rapido: il doppio colpo scatta con 16-20 sulla tabella degli imprevisti",
        },
    ),
    Switch(
        "hurl_drop",
        "close-combat/hurl-hit",
        {
            "en": "Hurl: +1 St for each inch of the drop, as for Throw",
            "it": "Tirare: +1 St per ogni pollice di caduta, come per Lanciare",
        },
        default=True,
    ),
)
