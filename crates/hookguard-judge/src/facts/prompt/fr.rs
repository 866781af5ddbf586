//! French.

use super::Lexicon;

pub(super) const LEXICON: Lexicon = Lexicon {
    spaced: true,
    symptom: &[
        "plante|plantent|planté|plantage*|crashe|crashent|bugue|buggé|fige|figé|figée|gèle|rame|échoue|échouent|cassé*|casse|erroné*|incorrect*|faux|fausse|fausses|fuite|régression*|saute|sautent",
        "ne|n .. marche|fonctionne*|charge*|ouvre*|affiche*|enregistre*|répond*|démarre*|correspond*|met|envoie*|arrive*|apparaît|apparaissent|part|partent|passe*|trouve*|compile*|tri*|ferme*|s'arrête|sauvegarde*|suit|suivent|prend|prennent|rafraîchit|actualise|joue .. pas|plus|jamais|rien",
        "ne|n est|sont|a|ont pas|plus .. pris*|affiché*|enregistré*|envoyé*|mis*|trié*|trouvé*|calculé*|appelé*|reçu*|bon|bonne|à",
        "il_y_a|renvoie|renvoient|affiche|affichent|donne|donnent|lève|provoque|obtient|obtiens|avons|reçoit|répond|retourne|apparaît .. erreur*|exception|500|502|503|404|nan",
        "erreur 500|404|403|502|503|fatale|interne|au|lors|quand|dès|à",
        "page blanche|vide",
        "est|sont|était|reste|arrive|arrivent|devient|sort|s'affiche .. vide|vides|bloqué*|tronqué*|coupé*|décalé*|perdu*|manquant*|rouge|doublé*|dupliqué*|en_double|deux_fois|négati*|mauvais*|faux|fausse|lent*",
        "disparaît|disparaissent|disparu*|se_perd|se_perdent|perdu*",
        "en_double|deux_fois|en_boucle|boucle_infinie|au_lieu_de|à_la_place_de",
        "bug|bogue|anomalie|dysfonctionnement|plantage",
        "les|des|certains|nos|un|plusieurs clients|utilisateurs|client|utilisateur .. se_plaignent|voient|voit|signal*|reçoivent|obtiennent",
        "échoue|échouent|plante .. une_fois|parfois|souvent|depuis|sur|quand|lorsque|avec|dès",
        "rien ne se_passe",
        "décalage|décalé*|décale|décalent",
    ],
    hint: &[
        "parfois|de_temps_en_temps|aléatoirement|par_moments|quelquefois|rarement|souvent",
        "depuis la|le|hier|lundi|ce|cette",
        "quand|lorsque|lorsqu|dès_que|si on|je|l|un|une|le|la|on|il",
        "problème|souci avec|de|dans|sur|sur",
    ],
    repair: &[
        "corrige*|répare*|débogue*|dépanne*|résous|résoudre|résolvez|règle|régler|réglez|réparer|corriger",
        "trouve*|cherche*|regarde*|comprend* .. pourquoi|cause",
    ],
    trivial: &[
        "corrige*|répare*|nettoie* .. faute*|coquille*|orthographe|typo*|lint|avertissement*|warning*|formatage|format|documentation|guide|doc|docs|commentaire*|lien*|libellé*|indentation|style|import*",
        "faute* d_orthographe|de_frappe",
        "coquille*|orthograph*",
    ],
    order: &[
        "ajoute*|implémente*|crée*|créer|écris|écrivez|écrire|fais|faites|faire|mets|mettez|mettre|remplace*|renomme*|déplace*|extrais|extraire|convertis|convertir|passe|passez|passer|migre*|supprime*|refais|refaites|refaire|change*|utilise*|permets|permettre|rends|rendre|génère*|générer|documente*|explique*|résume*|donne*|pousse*|rédige*|prépare*|active*|désactive*|configure*|publie*|déploie*|déployer|sors|sortir|découpe*|sépare*|divise*|construis|construire|développe*|intègre*|branche*|affiche*|trie*|prends|retire*|enlève*|réécris|réorganise*|range*|simplifie*|améliore*|accélère*|limite*|augmente*|réduis|valide*|vérifie*|teste*|traduis|livre*|fusionne*|commite*|committe*|annule*|reviens|liste*|propose*|planifie*|porte|portez|adapte*|ajuste*|modifie*|étends|gère|gérer",
        "il_faudrait|j_aimerais|je_voudrais|nous_voulons|on_veut|on_voudrait|il_nous_faut",
    ],
    handout: &["commit*|pousse*|publie*|déploie*|livre*|fusionne*"],
    name: &[],
    article: &["le|la|les|l|un|une|des|du|nos|notre|mon|ma|mes|ce|cette|ces|tous|toutes|chaque"],
    particle: &[],
    opener: &[
        "le|la|les|l|un|une|des|du|de|d|nos|notre|mon|ma|mes|ce|cette|ces|sur|sous|dans|avec|pour|par|depuis|après|avant|quand|lorsque|lorsqu|dès|si|en|à|au|aux|chez|pendant|parfois|est|sont|pourquoi|comment|que|qu|qui|il|elle|ils|elles|on|je|j|nous|tous|toutes|chaque|certains|et|mais|sans|vers|entre|selon|malgré|toujours|rien|ne|n|s|c|y|plus",
    ],
    wish: &[
        "doit|doivent|devrait|devraient|faut|faudrait|afin|pour_que|veux|voudrais|aimerais|besoin|évite|éviter|assure*|que_se_passe|comment|est_ce_que",
    ],
    contrast: &["mais|pourtant|cependant|or|alors_que|alors_qu"],
    waiver: &[
        "sans .. test*|vérif*|lancer|exécut*|valid*|contrôl*|passer",
        "pas_besoin|inutile|pas_la_peine|pas_nécessaire|superflu|pas_utile|aucun_besoin|te_fatigue_pas|dispense|pas_obligé .. test*|vérif*|lancer|exécuter|valid*|faire_tourner",
        "ne|n lance*|exécute*|teste*|vérifie*|fais|faites|joue* pas|rien",
        "saute*|ignore*|oublie*|laisse_tomber|passe_outre|zappe* .. tests|test|vérif*|suite|ci",
        "tests|vérification|suite|ci .. inutile*|pas_nécessaire*|plus_tard|superflu*|pas_la_peine|en_panne|hors_service|attendr*|facultati*",
        "vérifierai|testerai|contrôlerai|validerai|essaierai|vérifierons|testerons|contrôlerons|validerons|vérifiera|testera",
        "je|j|nous|on .. teste*|vérifie*|contrôle*|tester|vérifier .. moi|nous|même|demain|plus|après|ensuite",
        "non testé|testée|vérifié",
        "m_en|m en charge|occupe .. tests|vérif*",
        "pas de test|tests",
    ],
    no_waiver: &[
        "sans .. casser|changer|toucher|modifier|ajouter|altérer|régress*|dégrader|abîmer",
        "ne|n|jamais .. commit*|pousse*|fusionne*|déploie*|publie*|livre* .. sans|avant",
        "pas .. oublie*|saute*",
    ],
    reproduced: &[
        "j_ai|nous_avons|on_a|déjà|ai|avons|a .. reproduit|reproduite|confirmé",
        "je|on|nous reproduis|reproduit|reproduisons|peux|arrive .. ",
        "pas_besoin|inutile|sans|pas_la_peine|ne .. reprodui*|reproduction",
        "reproduction .. faite|inutile|jointe",
        "reproductible",
    ],
    workaround: &[
        "contournement*|contourne*|pansement|provisoire*|temporaire*|rustine|quarantaine|dépannage|bricolage|palliatif|pour_l_instant|en_attendant|rapide",
        "désactive*|ignore*|saute*|neutralise*|exclu* .. test|tests",
        "simplement|juste .. relance*|redémarre*|ignore*|catch*|désactive*|annule*|recharge*",
        "annule*|reviens .. commit|changement|version",
    ],
    limited: &[
        "seulement|uniquement|juste le|la|les|l|un|une|ce|cette|ces|cela|ça",
        "fais|fait|faites|faire|traite|implémente|change|corrige|prends .. seulement|uniquement|juste|que_la|que_le|que_les|que_l",
        "rien_que",
        "reste|autres|suivant* .. plus_tard|demain|semaine|prochain*|après|autre|verra|ensuite|attendr*",
        "plus_tard|semaine_prochaine|prochaine_fois|prochain_sprint|pour_l_instant|pour_le_moment|dans_un_premier_temps|hors_périmètre|backlog|ultérieur*|repouss*|reporte*",
        "propose|proposez|relis|relisez|esquisse|estime|prototype|triage",
        "analyse|audite le|la|les|l|ce|cette|ces|nos|notre|pourquoi|comment",
        "fais|faites|écris|donne|propose|prépare|rédige|veux|voudrais|besoin|seulement|juste .. plan|proposition|revue|relecture|audit|esquisse|brouillon|estimation|maquette|analyse",
        "ne|n .. touche*|modifie*|change* .. pas|rien",
        "commence* par",
        "laisse* .. côté|tomber|pour",
    ],
    stub: &[
        "stub*|bouchon*|maquette*|factice*|fictif*|fictive*|squelette|mock*|provisoire*|exemple|prototype|esquisse",
    ],
    expectation: &[
        "adapte*|met*|change*|corrige*|actualise* .. attendu*|attente*|snapshot*|assertion*",
        "test|tests .. obsolète*|périmé*|dépassé*",
        "supprime*|retire*|enlève* .. test|tests",
    ],
    edited: &[
        "modifié*|ajouté*|remplacé*|porté*|créé*|implémenté*|supprimé*|corrigé*|réécrit*|refactoré*|déplacé*|renommé*|migré*|converti*|écrit|extrait",
    ],
    not_run: &["pas|impossible|sans|rien|aucun .. lanc*|exécut*|test*|vérifi*", "pas pu"],
};
