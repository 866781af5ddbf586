//! Spanish.

use super::Lexicon;

pub(super) const LEXICON: Lexicon = Lexicon {
    spaced: true,
    symptom: &[
        "falla|fallan|fallando|fallado|cuelga|cuelgan|colgado|cuelgue*|rompe|roto|rota|rotos|rotas|incorrecto|incorrecta|incorrectos|incorrectas|erróneo*|errónea*|equivocad*|bug|bugs|peta|petan|revienta*|crashea*|congela*|parpadea*|descuadra*",
        "se cuelga|cuelgan|bloquea|bloquean|cae|caen|cierra|cierran|rompe|rompen|pierde|pierden|duplica|duplican|congela|queda|quedan|corta|cortan|borra|borran|mezcla|mezclan|repite|repiten|desordena|solapa|solapan",
        "no .. funciona*|carga|cargan|abre|abren|guarda|guardan|muestra|muestran|responde|responden|aparece|aparecen|llega|llegan|coincide|coinciden|arranca|inicia|envía|envían|actualiza|actualizan|hace|sale|salen|cuadra|cuadran|encuentra|reconoce|ordena|compila|conecta|refresca|va|van|entra|entran|recibe|reciben",
        "deja|dejan|dejó|dejaron de",
        "da|dan|lanza|lanzan|devuelve|devuelven|sale|salen|aparece|hay|muestra|recib*|obten*|arroja .. error|errores|excepción|500|502|503|404|nan",
        "error 500|404|403|502|503|al|en|cuando",
        "mal calculad*|ordenad*|formatead*",
        "calcula|calculan|ordena|sale|salen|muestra|ve|ven|cuenta|suma .. mal",
        "está|están|queda|quedan|sale|salen|aparece|aparecen .. vacío*|vacía*|blanco|rojo|duplicad*|repetid*|cortad*|perdid*|desactualizad*|mal|negativ*|bloquead*|desordenad*",
        "dos veces|copias",
        "desaparece|desaparecen|desaparecido*|se_pierde|se_pierden",
        "los|unos|algunos|varios|nuestros|un clientes|usuarios|cliente|usuario .. quejan|queja|ven|ve|reciben|reportan|informan|dicen",
        "en lugar|vez de",
        "fuga|condición_de_carrera|bucle_infinito|regresión",
    ],
    hint: &[
        "a_veces|de_vez_en_cuando|aleatoriamente|intermitente*|ocasionalmente|en_ocasiones",
        "desde la|el|ayer|que|anoche",
        "cuando un|una|el|la|se|hago|abro|pulso|los|girar|guardar|exportar|cambiar|abrir",
        "problema con|en|de",
    ],
    repair: &[
        "arregla*|corrige*|corregir|repara*|soluciona*|resuelve*|depura*",
        "resolver el|la|los|las|este|esta",
        "averigua*|busca*|mira|investiga* .. por_qué|causa|qué_pasa",
    ],
    trivial: &[
        "corrige*|corregir|arregla*|limpia*|repara* .. errata*|ortograf*|lint*|aviso*|advertencia*|warning*|formato|documentación|comentario*|guía|typo*|enlace*|estilo|etiqueta*|import*|indentación|redacción",
        "errata*|ortograf*|falta*_de_ortografía",
    ],
    order: &[
        "añade*|añadir|agrega*|implementa*|crea|crear|crean|escribe*|escribir|haz|hacer|pon|poner|cambia|cambiar|reemplaza*|sustituye*|renombra*|mueve*|extrae*|divide*|separa*|convierte*|migra|migrar|elimina*|borra|borrar|quita|quitar|actualiza|actualizar|pasa|pasar|usa|usar|documenta*|genera|generar|permite|permitir|sube|subir|prepara*|lanza|lanzar|explica*|propón|propone|publica*|despliega*|desplegar|integra*|conecta|conectar|configura*|activa*|desactiva*|muestra|mostrar|ordena|ordenar|valida*|traduce*|mejora*|acelera*|simplifica*|reorganiza*|reescribe*|refactoriza*|revisa*|lista|listar|dame|saca|sacar|monta|montar|construye*|aplica*|adapta*|ajusta*|limita*|aumenta*|reduce|reducir|porta|portar|fusiona*|revierte|deshaz|resume|resumir|cuenta|amplía|incluye|incluir|introduce|unifica*|encapsula*|limpia*",
        "quiero|queremos|necesito|necesitamos|me_gustaría|hay_que|hace_falta",
    ],
    handout: &["sube|súbelo|publica*|despliega*|haz_commit|haz_push|fusiona*"],
    name: &[],
    article: &["el|la|los|las|un|una|unos|unas|este|esta|estos|todos|todas|cada|nuestro|nuestra"],
    particle: &[],
    opener: &[
        "el|la|los|las|un|una|unos|unas|lo|al|del|de|en|con|por|para|desde|tras|cuando|si|sin|sobre|entre|hasta|a|según|cada|todo|todos|todas|algunos|nuestro|nuestra|mi|este|esta|estos|es|son|está|están|por_qué|cómo|qué|quién|se|no|y|pero|también|solo|hay|me|nos|te|le|les|su|sus|que|ya|durante|bajo",
    ],
    wish: &[
        "debe|deben|debería|deberían|tiene_que|tienen_que|para_que|quiero|queremos|necesito|necesitamos|hace_falta|asegura*|evita*|qué_pasa_si|cómo|hay_que",
    ],
    contrast: &["pero|sin_embargo|aunque|en_cambio"],
    waiver: &[
        "sin .. prueba*|test|tests|probar*|ejecutar*|verificar*|comprobar*|pasar|lanzar|validar|correr",
        "no .. hace_falta|es_necesario|necesit*|hay_que|tienes_que|hagas|te_molestes|merece_la_pena|vale_la_pena|corre_prisa .. prueba*|test|tests|probar*|verific*|comprob*|ejecut*|pase*|lance*|valid*",
        "no .. ejecutes|corras|lances|pases|pruebes|esperes|verifiques|compruebes|valides",
        "salta*|sáltate|omite*|ignora*|olvida* .. prueba*|test|tests|verific*|suite|comprobacion*",
        "prueba*|tests|verificación|suite .. no_hacen_falta|no_son_necesari*|innecesari*|sobran|después|luego|más_tarde|no_hace_falta|caíd*|pueden_esperar",
        "lo|la|ya|yo|los .. probaré|pruebo|verificaré|comprobaré|revisaré|compruebo|verifico|validaré|testearé",
        "sin probar|verificar|comprobar",
        "de las pruebas|comprobaciones me|nos",
    ],
    no_waiver: &[
        "sin .. romper|cambiar|tocar|modificar|añadir|alterar|afectar|estropear",
        "no|nunca|jamás .. subas|hagas|publiques|despliegues|fusiones|commit* .. sin|antes",
        "no .. saltes|olvides|omitas",
    ],
    reproduced: &[
        "he|hemos|ya|lo|la .. reproducido|reproducida|reproduje|reprodujimos|confirmado",
        "puedo|podemos|consigo .. reproducir*",
        "no|sin|innecesario .. reprod*",
        "reproducible",
    ],
    workaround: &[
        "apaño|parche|provisional*|temporal|temporalmente|cuarentena|chapuza|remiendo|de_momento|por_ahora|mientras_tanto|solución_rápida|paliativo|rodeo|interin*",
        "desactiva*|salta*|omite*|ignora* .. test|tests|prueba*",
        "simplemente|solo|sólo .. reinicia*|reintenta*|captura*|revierte*|ignora*|recarga*",
        "revierte|deshaz .. commit|cambio",
    ],
    limited: &[
        "solo|sólo|solamente|únicamente el|la|los|las|lo|un|una|este|esta|estos|estas|eso|esto",
        "haz|haga|hagan|implementa|cambia|corrige|hoy|ahora .. solo|sólo|solamente|únicamente",
        "nada_más",
        "resto|demás|otros|otras .. después|luego|mañana|semana|próxim*|más_adelante|otro|aparte|ya|veremos",
        "más_adelante|más_tarde|próxima_semana|próxima_vez|próximo_sprint|de_momento|por_ahora|backlog|aplaza*|pospón|posponer|fuera_de_alcance|todavía_no|aún_no",
        "propón|revisa|analiza|audita|estima|prototipo|triaje",
        "haz|hazme|escribe|dame|prepara|redacta|elabora|quiero|necesito|propón|solo|sólo .. plan|propuesta|revisión|auditoría|borrador|boceto|esbozo|estimación|análisis",
        "no|sin .. toques|tocar|cambies|cambiar|modifiques|modificar|implementes",
        "empieza|comienza por|con",
        "deja .. para|fuera",
    ],
    stub: &["stub*|esqueleto|ficticio*|simulad*|mock*|plantilla|prototipo|de_ejemplo|boceto|provisional*|maqueta"],
    expectation: &[
        "actualiza*|ajusta*|cambia*|adapta* .. esperad*|expectativa*|snapshot*|aserci*",
        "test|tests|prueba* .. obsolet*|desfasad*|antiguas",
        "elimina*|borra*|quita* .. test|tests|prueba*",
    ],
    edited: &[
        "añadid*|modificad*|cambiad*|reemplazad*|implementad*|creado|creada|creados|escrito|escrita|eliminad*|migrad*|convertid*|movid*|renombrad*|refactorizad*|corregid*|actualizad*|portad*|adaptad*",
    ],
    not_run: &["no|sin|nada|ningun* .. ejecut*|prob*|pas*|verific*|lanz*|prueba*"],
};
