"""What the site says beside its pages."""

from __future__ import annotations

WORDS: dict[str, dict[str, str]] = {
    "en": {
        "about": "A referee for tabletop miniature battles: it plays by the book and cites every rule.",
        "language": "English",
        "books": "The rules, rule by rule",
        "whole": "[The whole book on one page]({link}), with the code and the tests of each rule.",
        "ruling": "Our reading.",
        "needs": "See",
        "code": "code and tests",
        "decisions": "Decisions",
        "decisions-about": "Short records of what was decided and why: context, decision, consequences.",
        "api": "The HTTP API",
        "api-about": "What the server answers to programs, at the version of this site. The table is played over a "
        "WebSocket. The same description as OpenAPI: `GET /openapi.json` on every server.",
        "parameter": "parameter",
        "field": "field",
        "where": "where",
        "kind": "kind",
        "meaning": "meaning",
        "needed": "needed",
        "yes": "yes",
        "body": "Body",
        "answer": "Answer",
        "records": "Records",
        "list": "list of {one}",
        "map": "{one} by name",
        "anything": "anything",
        "or": "or",
    },
    "it": {
        "about": "Un arbitro per battaglie di miniature: gioca secondo il regolamento e cita ogni regola.",
        "language": "Italiano",
        "books": "Le regole, una per una",
        "whole": "[L'intero regolamento in una pagina]({link}), con il codice e i test di ogni regola.",
        "ruling": "La nostra lettura.",
        "needs": "Vedi",
        "code": "codice e test",
        "decisions": "Decisioni",
        "decisions-about": "Brevi note su che cosa è stato deciso e perché: contesto, decisione, conseguenze. Sono in "
        "inglese.",
        "api": "L'API HTTP",
        "api-about": "Che cosa il server risponde ai programmi, alla versione di questo sito. Il tavolo si gioca su un "
        "WebSocket. La stessa descrizione come OpenAPI: `GET /openapi.json` su ogni server. Le descrizioni sono in "
        "inglese.",
        "parameter": "parametro",
        "field": "campo",
        "where": "dove",
        "kind": "tipo",
        "meaning": "significato",
        "needed": "obbligatorio",
        "yes": "sì",
        "body": "Corpo",
        "answer": "Risposta",
        "records": "Record",
        "list": "elenco di {one}",
        "map": "{one} per nome",
        "anything": "qualunque cosa",
        "or": "o",
    },
}
