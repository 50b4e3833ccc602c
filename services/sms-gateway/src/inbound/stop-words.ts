const set = (words: string) => new Set(words.split(' '));

/** Stop words: as the whole reply, or as its first or last word or line. */
export const stopWords = set(
  'stop stopall unsubscribe cancel end quit optout revoke remove arret baja parar stopp',
);
/** Whole replies that stop texts and are flagged for review. */
export const stopPhrases = new Set([
  'unsub',
  'text off',
  'texts off',
  'wrong number',
  'wrong person',
  'lose my number',
  'not interested',
  ...[
    'para',
    'alto',
    'basta',
    'ya basta',
    'no mas',
    'cancela',
    'cancelar',
    'detener',
    'desuscribir',
  ],
  ...[
    'quitar',
    'remover',
    'arreter',
    'arretez',
    'stopper',
    'stoppez',
    'annuler',
    'resilier',
    'fin',
  ],
  ...[
    'bitte stoppen',
    'stoppen',
    'ende',
    'beenden',
    'abmelden',
    'abmeldung',
    'kundigen',
    'kundigung',
  ],
  ...[
    'unsuscribe',
    'unsubcribe',
    'unsubscibe',
    'take me off',
    'delete me',
    'go away',
    'stop1',
    'stop2end',
  ],
  ...['stopstop', 'i did not sign up for this', 'i didnt sign up for this'],
]);
const anyStopWord = [...stopWords].join('|');

/** "don't stop", "I never want this to end", "sans arrêt", "no quiero parar", "stop nicht". */
export const denials = [
  new RegExp(
    '(?<!\\bwhy )\\b(?:dont|not|never|wont|cant|cannot|didnt|doesnt|shouldnt|wouldnt|couldnt|nothing|nobody|without|non|' +
      'nicht|nie|niemals|kein|keinen|ohne|ne|pas|sans|jamais)' +
      '(?: (?:ever|please|pls|just|you|u|really|even|want|wanna|need|have|had|dare|let|can|could|will|would|should|going|' +
      'gonna|to|je|bitte|le))*(?: (?:this|it|them|these|that|me|us)(?: to| ever)?)?' +
      `(?: ever)? (?:${anyStopWord})\\b`,
    'g',
  ),
  /\b(?:no|sin|nunca|jamas)(?: (?:me|te|lo|puedo|puedes|podemos|quiero|quieras|voy|vas|vamos|pienso|hay|que|a|dar|darme|de))* (?:parar|baja)\b/g,
  /\b(?:stopp?|arret) (?:pas|nicht(?! mehr))\b/g,
];

/** Sayings with a stop word that aren't about our texts. */
export const sayings = [
  /\b(?:bus|tram|train|truck|pit|rest|next|last|first|full|(?:make|makes|made|help|helps|helped) (?:me|us)(?: to)?|who (?:can|could|will)|why would you|do you ever|trying to) (?:stop|quit|end)\b/g,
  /\b(?:when|what time) (?:does|will|did) (?:it|this|that) (?:stop|end)\b/g,
  /\bwill (?:it|this|that) (?:stop|end)\b/g,
  /\bstop (?:by|and (?:smell|think)|worrying|believing|dreaming|being|making me|the world|sign)\b/g,
  /\bstop it(?: \|)? (?:you|haha|lol)\b/g,
  /\b(?:the|no|year|dead|bitter|that) end\b/g,
  /\bend (?:of|up|game|goal|result)\b/g,
  /\bi(?: just)? quit\b/g,
  /\bquit (?:smoking|drinking|vaping|my job)\b/g,
  /\bcancel (?:culture|my (?:doubts?|fears?|worries))\b/g,
  /\bremove (?:the|a) stain\b/g,
  /\b(?:planta|voz|bateria|temporada|clase|autoestima|estoy de) baja\b/g,
  /\bbaja california\b/g,
  /\bbaja (?:el|la|los|las|un|una|a|al|velocidad|calidad|autoestima)\b/g,
  /\b(?:prochain|dernier) arret\b/g,
  /\barret (?:de bus|du bus|de tram|maladie|cardiaque)\b/g,
  /\b(?:nachster|letzter|erster|kurzer) stopp?\b/g,
];

const request = (negation: string, what: string) =>
  new RegExp(`(?:^|\\| )(?:(?!(?:${negation})\\b)[^ |]+ )*(?:${what})(?= |$)`, 'u');

/** Requests in French, Spanish and German, unless the clause denies them first. */
export const foreignRequests = [
  request(
    'pas|sans',
    'n(?:e (?:me |m)?)?(?:envoye[rz]|envoie|contacte[rz]?|ecrivez|ecris|texte[rz]) plus|' +
      'je ne veux plus (?:de|recevoir|vos|ces|rien)|desabonn\\p{L}*|desinscri\\p{L}*|' +
      'arrete[rz]? (?:de m\\p{L}*|denvoyer|les|ces|vos|svp|sil|tout|ca)|arretez',
  ),
  request(
    'no|sin|nunca',
    'borr(?:ame|eme|enme) de (?:la|su|tu|esta) lista|no mas (?:mensajes|textos|sms)|dar(?:me|nos)? de baja|(?:date|dame|deme|denme) de baja|cancel(?:ar|en|e|a) (?:(?:mi|la) )?suscripcion|' +
      'dej(?:a|e|en|ar) de (?:envi|mand|escrib|molest|contact)\\p{L}*|ya basta|paren|' +
      'no (?:me |nos )?(?:envi|mand|escrib|contact)\\p{L}* mas|no quiero (?:mas|recibir|estos|sus)',
  ),
  request(
    'nicht|nie|kein|keine|bekomme|erhalte',
    '(?:nicht mehr|nie wieder) (?:schreiben|senden|schicken|kontaktieren|anschreiben)|abmelden|abbestellen|austragen|' +
      'hor(?:t|en sie)?(?: bitte| endlich| jetzt| damit)* auf|keine (?:sms|nachrichten|texte) mehr',
  ),
  /(?:^|\| )(?:bitte |sofort |endlich )*aufhoren(?! zu)(?= |$)/,
];

export const stopVerbs = new Set([...stopWords, 'cease']);
/** Words before the verb that don't change the request. */
export const fillers = set(
  'please pls plz kindly just can could would will you u i want wanna need to like id im hi hello hey ok okay now so ' +
    'thanks thank must should have got sorry and me asap dear team guys yall everyone already',
);
/** Words allowed after the verb; any other word means that something else should stop. */
export const objects = set(
  'texting messaging sending contacting bothering spamming texts text txt txts message messages msgs msg sms me us my these ' +
    'those this that it the all any more now please pls plz thanks thank you u immediately already from your list number ' +
    'service subscription everything ever again to for good at once right away daily motivational phone asap messaging ' +
    'out of account today sir receiving getting program mailing here so much and bye consent permission msging txting',
);
export const negations = set(
  'dont not never wont cant cannot didnt doesnt shouldnt wouldnt couldnt isnt arent non without nothing nobody',
);
export const maxWords = 14;

/** Requests without a stop verb, at the start of the reply. */
export const requests = [
  /^(please |pls |plz )*(dont|do not|never) (ever )?(text|message|msg|contact|sms|bother|spam) me\b/,
  /^(please |pls |plz )*(dont|do not) send (me )?(any ?more|any|more|these|this|anything)\b/,
  /^(please |pls |plz |no )*no more (of )?(these |this |your |daily )*(texts|messages|msgs|sms|texting|messaging)\b/,
  /^(please |no )*no more( please| pls| thanks| thank you)?$/,
  /^(please |pls |plz )*leave me alone\b/,
  /^(please )*i (do not|dont|no longer) want (to (get|receive) )?(any ?more |any |these |this |your |daily )*(texts|messages|msgs|sms)\b/,
  /^(please )*i (do not|dont|no longer) (want|wish)( to (get|receive))? (these|this|them|those)( any ?more| please| pls| thanks| thank you)*$/,
  /^(please |pls |plz )*stop (texting|messaging|sending) (me )?(these |this |your )?(texts |messages |msgs |sms )?every ?day\b/,
  /^(please )*i no longer wish to (get|receive) (any ?more |any |these |this |your |daily )*(texts|messages|msgs|sms)\b/,
];
/** Requests anywhere in the reply, unless a negation comes before. */
export const requestsWithin = [
  /\b(take|get) me off (of )?(your|this|the|that|ur) (list|texts|messages)\b/,
  /\b(opt me out|opting out)\b/,
  /\bunsubscribe me\b/,
  /\bremove (me|my number) from\b/,
  /\b(delete|remove) my (phone )?number\b/,
  /\b(withdraw|revoke) (my )?consent\b/,
  /\bcease and desist\b/,
];
