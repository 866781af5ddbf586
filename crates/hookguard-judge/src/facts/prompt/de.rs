//! German.

use super::Lexicon;

pub(super) const LEXICON: Lexicon = Lexicon {
    spaced: true,
    symptom: &[
        "stürzt|abgestürzt|absturz|abstürze|hängt|aufgehängt|einfriert|eingefroren|friert|fehlerhaft*|kaputt|falsch|falsche|falschen|falscher|falsches|bug|bugs|fehlgeschlagen|klemmt|ruckelt|spinnt|verrutscht|leckt|hängengeblieben|endlosschleife",
        "schlägt|schlagen .. fehl",
        "funktioniert|funktionieren|geht|gehen|klappt|lädt|laden|öffnet|öffnen|speichert|startet|reagiert|erscheint|erscheinen|kommt|kommen|stimmt|stimmen|passt|passen|aktualisiert|läuft|laufen|findet|wird|werden|schließt|sendet|greift|verschickt|sortiert|zeigt|endet|antwortet .. nicht|nichts|nie|kein|keine|keinen",
        "lässt|lassen sich .. nicht",
        "kann|können|konnte .. nicht .. einloggen|anmelden|speichern|öffnen|hochladen|starten|löschen|bearbeiten|herunterladen",
        "gibt|kommt|wirft|wirfst|liefert|bekomm*|erhalt*|meldet|zeigt|antwortet|sehe|sehen|endet .. fehler|fehlermeldung|exception|500|502|503|404|nan",
        "fehler 500|404|403|502|503|beim|bei|in|auf|wenn|nach",
        "doppelt|zweimal|mehrfach|verschwind*|verschwunden|verloren|abgeschnitten|verdreht|vertauscht|überschrieben",
        "ist|sind|bleibt|bleiben|war|wird|werden .. leer|weiß|rot|abgeschnitten|vertauscht|null|negativ|blockiert|unscharf|verschoben|falsch|kaputt|weg|fehlerhaft",
        "kunden|nutzer|anwender|benutzer|user|kollegen .. beschweren|melden|berichten|sehen",
        "nicht mehr|richtig|korrekt",
        "speicherleck|wettlaufsituation|deadlock|regression",
        "statt .. kommt|erscheint|steht|wird|zeigt",
        "aktualisiert|öffnet|schließt|lädt .. sich .. nicht",
    ],
    hint: &[
        "manchmal|gelegentlich|sporadisch|ab_und_zu|selten|hin_und_wieder|zeitweise|bisweilen|ab_und_an",
        "seit dem|der|gestern|letzter|letztem|heute|montag",
        "wenn|sobald|nachdem ich|man|wir|der|die|das|ein|eine",
        "problem|problem mit|beim|bei|in",
        "anstatt|statt",
    ],
    repair: &[
        "behebe*|beheb|behoben|reparier*|korrigier*|fixe|fix|fixen|beseitig*|debugge*|löse|lösen",
        "finde*|find|schau*|klär*|untersuch* .. warum|wieso|ursache|woran",
    ],
    trivial: &[
        "behebe*|beheb|korrigier*|fix|fixe|beseitig*|bereinig* .. tippfehler*|rechtschreib*|schreibfehler*|lint*|warnung*|formatierung*|kommentar*|doku*|link*|einrückung*|clippy|eslint|beschriftung*|importe|stil*",
        "tippfehler*|rechtschreibfehler*|schreibfehler*",
    ],
    order: &[
        "füg|füge|bau|baue|bauen|implementier|implementiere|implementieren|erstell|erstelle|erstellen|schreib|schreibe|schreiben|mach|mache|machen|setz|setze|setzen|stell|stelle|stellen|änder|ändere|ändern|ersetz|ersetze|ersetzen|benenn|benenne|verschieb|verschiebe|lager|lagere|zieh|ziehe|extrahier|extrahiere|ergänz|ergänze|ergänzen|erweiter|erweitere|entfern|entferne|entfernen|lösch|lösche|löschen|aktualisier|aktualisiere|führ|führe|führen|lass|lasse|nimm|trenn|trenne|teil|teile|zerleg|zerlege|übersetz|übersetze|dokumentier|dokumentiere|konvertier|konvertiere|migrier|migriere|portier|portiere|sortier|sortiere|verwend|verwende|nutz|nutze|richte|erlaub|erlaube|unterstütz|unterstütze|zeig|zeige|gib|leg|lege|pass|passe|bring|bringe|roll|rolle|heb|hebe|räum|räume|veröffentlich*|deploy*|committe|pushe|push|merge|prüf|prüfe|teste|erklär|erkläre|beschreib|beschreibe|plane|plan|entwirf|vereinfach*|verbesser*|beschleunig*|begrenz*|erhöh*|senk*|führe|hol|hole|binde|bind|verknüpf*|ordne|ordn|format*|generier*|wechsle|wechsel|tausch*|kapsel*|vereinheitlich*|lies|fass|fasse|entkoppel*|portieren|schalte|aktivier*|deaktivier*|konfigurier*|validier*|migrieren|zusammen*",
        "ich_hätte|wir_brauchen|ich_möchte|wir_wollen|ich_brauche|wir_möchten",
    ],
    handout: &["committe|commit|push|pushe|merge|deploy*|veröffentlich*|roll"],
    name: &[],
    article: &["das|die|den|dem|alle|ein|eine|einen|unsere|unseren|jede|jeden|jedes"],
    particle: &["der|alles|es|auf|nach|in|zum|zur|dann|und|bitte|jetzt|direkt|ungetestet|mit"],
    opener: &[
        "der|die|das|den|dem|des|ein|eine|einen|einem|einer|unser|unsere|mein|meine|auf|in|im|an|am|bei|beim|mit|nach|seit|vor|von|vom|zu|zum|zur|für|über|unter|wenn|sobald|nachdem|während|falls|weil|warum|wieso|wie|was|wer|ist|sind|manchmal|alle|einige|manche|viele|und|aber|auch|nur|es|er|sie|wir|ich|man|hier|dort|durch|ohne|gegen|trotz|laut|dass|ob|als|bis|um|jede|jeder|jedes|nicht|kein|keine",
    ],
    wish: &[
        "soll|sollen|sollte|sollten|muss|müssen|darf|dürfen|damit|möchte|möchten|brauche|brauchen|wollen|will|sorge|stelle_sicher|wie|was_passiert",
    ],
    contrast: &["aber|jedoch|doch|tatsächlich|stattdessen"],
    waiver: &[
        "ohne .. test*|prüf*|verif*|kontroll*|testlauf|lauf|ci|check*",
        "kein*|nicht|nichts|keine .. test*|prüf*|suite|verifi* .. nötig|notwendig|laufen|ausführen|starten|erforderlich|machen|brauch*|gebraucht|durchlaufen|fahren",
        "kein*|keine tests|test|testlauf|testläufe|prüfung|verifikation",
        "test*|prüfung*|suite|verifikation|ci .. nicht_nötig|nicht_notwendig|überflüssig|unnötig|überspring*|weglassen|sparen|spar|auslassen|später|entfallen|entfällt|egal|lass|kannst_du_dir_sparen|nicht|weg",
        "brauchst|musst|muss|brauch*|nicht_nötig|sollst|bitte .. nicht|nichts|keine .. test*|prüf*|laufen|ausführ*|verifi*",
        "ich|wir .. teste|prüfe|testen|prüfen|kontrolliere|kontrollieren|verifiziere|schaue .. selbst|selber|später|morgen|danach|nachher|es|das|an",
        "teste|prüfe|kontrolliere ich|wir",
        "ungetestet|ungeprüft",
        "überspring*|spar .. test*|prüf*|suite|ci",
        "lass .. test*|prüf* .. weg|sein|aus",
    ],
    no_waiver: &[
        "ohne .. brech*|kaputt*|änder*|verändern|anzufassen|zu_beschädigen|hinzu*|neue",
        "nicht|nie|niemals|keinesfalls .. ohne",
        "nichts|nicht|kein* .. committe*|push*|merge*|deploy*|einchecken|veröffentlich* .. ohne|bevor|ungetestet",
        "test*|tests .. nicht .. vergessen|brechen|überspringen",
    ],
    reproduced: &[
        "ich|wir|habe|haben|hab|schon|bereits .. reproduziert|nachgestellt|nachvollzogen|bestätigt",
        "nicht|ohne|kein* .. reproduzier*|nachstell*|nachzustellen|reproduktion",
        "reproduzierbar",
        "lässt_sich .. reproduzieren|nachstellen",
    ],
    workaround: &[
        "workaround|umgehung*|umgehe|notlösung|behelf*|übergangs*|provisor*|vorläufig*|vorerst|quarantäne|pflaster|temporär|notbehelf|krücke|einstweilen",
        "überspring*|deaktivier*|schalte|ignorier* .. test|tests",
        "einfach|nur .. neu|neustart*|abfang*|überspring*|ignorier*|zurück*|deaktivier*",
        "revert*|mach|setz|nimm .. commit|änderung .. zurück|rückgängig",
        "ursache .. später|egal|nicht",
    ],
    limited: &[
        "nur|lediglich|bloß|ausschließlich den|die|das|der|dem|ein|eine|einen|diese|diesen|dieses|bis|teil|phase|schritt",
        "mach|mache|machen|bau|baue|setze|setz|nimm|erledige|ändere|bearbeite|zunächst|erst|erstmal|mal|heute|jetzt|bitte nur|lediglich|bloß|ausschließlich",
        "rest|restlichen|übrigen|andere|anderen|weiteren .. später|morgen|woche|nächst*|danach|ander*|separat|kommt|machen_wir|folgt",
        "später|nächste_woche|nächsten_sprint|nächstes_mal|vorerst|fürs_erste|zunächst|erst_mal|erstmal|backlog|verschieb*|zurückgestellt|auf_später|noch_nicht",
        "plane|prüfe|prüf|sichte|skizziere|schätze|analysiere|bewerte|triage|prototyp",
        "mach|mache|erstell|erstelle|schreib|schreibe|gib|brauche|brauchen|zeig|zeige|liefere|entwirf|nur|bloß|möchte|will .. plan|vorschlag|konzept|review|entwurf|skizze|schätzung|analyse|übersicht",
        "nichts|nicht|ohne .. ändern|anfassen|anrühr*|umsetzen|implementieren",
        "fang|beginn|beginne|starte .. mit",
        "lass .. weg|aus|erst",
    ],
    stub: &["stub*|platzhalter|attrappe*|mock*|gerüst|skelett|dummy|beispieldaten|testdaten|prototyp|entwurf|rumpf"],
    expectation: &[
        "pass*|aktualisier*|änder*|korrigier* .. erwart*|snapshot*|assert*|testdaten",
        "test|tests .. veraltet|überholt",
        "entfern*|lösch* .. test|tests",
    ],
    edited: &[
        "geändert|hinzugefügt|ersetzt|implementiert|umgestellt|portiert|angelegt|geschrieben|entfernt|refaktoriert|verschoben|umbenannt|migriert|angepasst|ergänzt|erstellt|überarbeitet|umgebaut|behoben",
    ],
    not_run: &[
        "nicht|nichts|ohne|kein*|konnte .. ausgeführt|laufen|getestet|test*|geprüft|ausführen|gestartet",
        "ungetestet|ungeprüft",
    ],
};
