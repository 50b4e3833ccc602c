/**
 * Phrases of people who may be in danger. Reviewed with crisis.corpus.json, which covers every doubtful case. A
 * false alarm costs one kind text; a missed one can cost a life, so doubtful phrases are included.
 */
const phrases = [
  /\bsuicid(?:e|al|ality|io|arme|arse)\b/,
  /\bkms\b/,
  /\bunaliv(?:e|ing)\b/,
  /\b(?:kill|killing|hang|hanging|shoot|shooting|drown|drowning|poison|poisoning|stab|stabbing) my ?self\b/,
  /\b(?:hurt|hurting|harm|harming|cut|cutting|burn|burning) my ?self\b/,
  /\b(?:kill|killing|hurt|hurting|harm|harming) (?:him|her|them) ?sel(?:f|ves)\b/,
  /\b(?:slit|slitting|cut|cutting) my (?:wrists?|arms?|throat)\b/,
  /\bself ?harm(?:ing|ed|s)?\b/,
  /\b(?:end|ending|take|taking|took) my (?:own )?life\b/,
  /\bend(?:ing)? it all\b/,
  /\bend (?:it|things|everything) (?:tonight|today|now|tomorrow|for good|once and for all)\b/,
  /\b(?:want|wants|wanted|wanna|going|gonna|ready|trying|planning|plan|hoping|prefer|need|deserve)(?: to)? (?:just )?die\b/,
  /\bwant (?:it|the pain|this|everything|it all|life) to (?:be over|end|stop)\b/,
  /\bwish i (?:was|were) (?:dead|never born|not alive|not here|gone)\b/,
  /\bwish i (?:could |would |had |did )?(?:just |never )?(?:die|disappear|not wake up|wake up|wouldnt wake up|been born|didnt exist|dont wake up)\b/,
  /\bwish id never been born\b/,
  /\b(?:better off|rather be|want to be|be better) dead\b/,
  /\bbetter(?: off)? (?:without me|if i (?:was|were) (?:dead|gone|not here))\b/,
  /\b(?:nobody|no one|noone|who) (?:would|will|will even|would even) (?:miss me|(?:care|notice) if i (?:die|died|was gone|were gone|disappeared|killed myself))\b/,
  /\b(?:dont|do not|didnt|no longer|not) (?:want|wanna|wish)(?: to)? (?:live|be alive|exist|be here any ?more|wake up (?:any ?more|again|tomorrow)|go on(?: living| any ?more| like this|$)|keep living)\b/,
  /\b(?:no|any|the) (?:reason|point|purpose)(?: left)?(?: for me)? (?:to|in|of) (?:live|living|go on$|going on$|going on (?:living|any ?more)|be alive|being alive)\b/,
  /\b(?:isnt|not|no longer|aint) worth living\b/,
  /\b(?:cant|cannot|can not|couldnt) (?:go on(?: like this| any ?more| living| much longer| this way|$)|do this any ?more|take (?:it|this|life) any ?more|live like this|keep living|face another day)\b/,
  /\b(?:thinking|think|thoughts?|thought|dream|dreaming|fantasi[sz](?:e|ing)) (?:about|of) (?:dying|my death|death|ending it|ending things)\b/,
  /\boverdos(?:e|ed|ing)\b/,
  /\b(?:took|taken|take|taking|swallowed) (?:all|a bunch|a bottle|too many|the whole bottle)(?: of)?(?: my| the| these)?(?: sleeping)? ?(?:pills|meds|medication|tablets|$)/,
  /\bjump(?:ing)? (?:off|from) (?:a|the|this|my) (?:bridge|roof|building|balcony|cliff|window)\b/,
  /\bjump(?:ing)? in front of (?:a|the) (?:train|car|truck|bus)\b/,
  /\b(?:goodbye cruel world|goodbye forever|final goodbye)\b/,
  /\b(?:wont|not going to|not gonna) be (?:here|alive|around) (?:tomorrow|much longer|in the morning|any ?more|by (?:tomorrow|morning))\b/,
  /\b(?:tired|sick) of (?:living|being alive|life)\b/,
  /\b(?:give|giving|gave|given) up on (?:life|living|my life)\b/,
  /\bdone with (?:life|living|this life)\b/,
  /\bhate being alive\b/,
  // Spanish, French and German.
  /\b(?:quiero|queria|voy a|deseo|prefiero) (?:morir(?:me)?|matarme)\b/,
  /\b(?:matarme|quitarme la vida|no quiero (?:vivir|seguir viviendo))\b/,
  /\b(?:je (?:veux|vais|voudrais|prefere)|envie de) mourir\b/,
  /\b(?:me (?:suicider|tuer)|plus envie de vivre|ne veux plus vivre|veux en finir)\b/,
  /\bich (?:will|mochte) (?:nur noch |einfach |nur )?sterben\b/,
  /\b(?:mich umbringen|selbstmord|suizid\p{L}*|nicht mehr leben)\b/u,
];

/** The same words in other meanings. */
const harmlessPhrases = [
  /\bsuicide (?:squad|prevention|awareness|hotline|lifeline|doors?|runs?|mission|bomb\w*)\b/g,
  /\b(?:career|political|social|commercial|fashion|financial) suicide\b/g,
  /\bdie (?:laughing|of (?:laughter|laughing|boredom|embarrassment|shame|cold|heat|hunger|thirst|curiosity|excitement|happiness|joy|cuteness)|from laughing|hard|trying|happy|old|without (?:seeing|trying|visiting))\b/g,
  /\bdie(?: \S+){0,4} (?:lol|lmao|lmfao|rofl|ha(?:ha)+\w*|😂|🤣)/gu,
  /\bcut(?:ting)? my ?self (?:while |when |again while )?(?:shaving|cooking|chopping|slicing|gardening|some|off|on|a (?:slice|piece|break))\b/g,
  /\bhurt(?:ing)? my ?self (?:at|in|on|running|lifting|playing|doing|while|skiing|jogging|working|laughing)\b/g,
  /\bburn(?:ing)? my ?self (?:out|on|with|while)\b/g,
  /\b(?:kill|killing) my ?self (?:laughing|at (?:the )?(?:gym|work)|with work|to (?:finish|meet))\b/g,
  /\boverdos(?:e|ed|ing) on (?:coffee|chocolate|sugar|caffeine|cuteness|candy|pizza|netflix|memes|motivation|cake)\b/g,
  /\b(?:bungee|parachute|base) jump\w*(?: \S+){0,4}/g,
  /\b(?:tired|sick) of (?:living|life) (?:in|with|at|out|next|paycheck|here|on)\b/g,
  /\b(?:tak(?:e|ing)|took) my life (?:back|to|into|in)\b/g,
  /\b(?:end|ending) my life (?:as|of|sentence)\b/g,
  /\bwant to live (?:in|with|at|near|there|on)\b/g,
  /\bend (?:it|things|everything) (?:today|now|tomorrow) (?:with|by) (?:a )?(?:smile|win|him|her|my (?:boyfriend|girlfriend|ex))\b/g,
  /\b(?:morir(?:me)? de|mourir de) (?:risa|hambre|amor|calor|frio|verguenza|sueno|rire|faim|honte|chaud|froid)\b/g,
];

/** A denial right before a phrase, such as "I would never", "I'm not feeling" or "I used to". */
const denied =
  /\b(?:not|never|dont|do not|didnt|doesnt|isnt|arent|wasnt|wont|wouldnt|no longer|no|without|used to|no tengo|nunca|jamais|nicht)(?: (?:really|actually|ever|even|currently|at all|want(?:ed)?|wanna|going|gonna|trying|think(?:ing)?|thought|thoughts|about|of|have|had|having|any|feel(?:ing)?|felt|been|be|a|to|is|am|im|consider(?:ing|ed)?|talking|joking|planning|it|this|me|commit|committing|do|going to|pienso|pense|en))* $/;

/**
 * Returns whether a message suggests that someone may be in danger, and what else it says: without "end it all", for
 * example, which isn't a request to stop, but including a STOP right next to it.
 */
export function readCrisis(text: string): { is_crisis: boolean; rest: string } {
  const clauses = clausesOf(text);
  const rest = clauses.map(withoutCrisis);
  return rest.every((clause, index) => clause === clauses[index])
    ? { is_crisis: false, rest: text }
    : { is_crisis: true, rest: rest.filter(Boolean).join('. ') };
}

function clausesOf(text: string): string[] {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f'’‘`´]/g, '')
    .split(/[.!?,;:()"“”…\n]+|\bbut\b|\bbecause\b|\band i\b/)
    .map((clause) => clause.replaceAll(/[^\p{L}\p{N}\p{Extended_Pictographic}]+/gu, ' ').trim())
    .filter(Boolean);
}

/** Returns the clause without its crisis phrases, or unchanged if it has none. */
function withoutCrisis(clause: string): string {
  let masked = clause;
  for (const harmless of harmlessPhrases) masked = masked.replaceAll(harmless, '_');
  let rest = masked;
  for (const phrase of phrases) {
    const found = phrase.exec(masked);
    if (found === null || denied.test(masked.slice(0, found.index))) continue;
    rest = rest.replace(found[0], ' ');
  }
  return rest === masked ? clause : rest.replaceAll(/\s+/g, ' ').trim();
}
