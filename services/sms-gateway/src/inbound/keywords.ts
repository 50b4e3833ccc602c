import type { ReplyCommand } from '@daylift/contracts/sms.events';

/** What a reply means. Only `stop` by keyword needs no second look; a sentence that stops is also put up for review. */
export type Meaning =
  | { is: 'stop'; by: 'keyword' | 'phrase' }
  | { is: 'start' }
  | { is: 'help' }
  | { is: 'yes' }
  | { is: 'command'; change: ReplyCommand }
  | { is: 'other' };

const stopWords = new Set([
  'stop',
  'stopall',
  'unsubscribe',
  'cancel',
  'end',
  'quit',
  'optout',
  'revoke',
  'remove',
]);
const startWords = new Set(['start', 'unstop']);
const helpWords = new Set(['help', 'info']);
const yesWords = new Set(['yes', 'y', 'yesplease']);

/** Reads a reply. Keywords count only as the whole text, in any case, spacing, accents or punctuation. */
export function readReply(text: string): Meaning {
  const plain = plainOf(text);
  const change = readCommand(plain);
  if (change !== null) return { is: 'command', change };
  const words = wordsOf(plain);
  const whole = words.join('');
  if (stopWords.has(whole) || (words.length > 0 && words.every((word) => stopWords.has(word))))
    return { is: 'stop', by: 'keyword' };
  if (startWords.has(whole)) return { is: 'start' };
  if (helpWords.has(whole)) return { is: 'help' };
  if (yesWords.has(whole)) return { is: 'yes' };
  return asksToStop(words) ? { is: 'stop', by: 'phrase' } : { is: 'other' };
}

/** Lower case, without accents, invisible characters and full-width forms. */
function plainOf(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Two words that mean what one does are one. */
function wordsOf(plain: string): string[] {
  const words = plain.replaceAll(/['’]/g, '').match(/[a-z0-9]+/g) ?? [];
  return words
    .join(' ')
    .replaceAll(/\b(opt out|stop all)\b/g, (pair) => pair.replace(' ', ''))
    .split(' ')
    .filter(Boolean);
}

const quiet = /^["'“”‘’(\s]*(.*?)["'“”‘’)\s.!?,;]*$/u;

function readCommand(plain: string): ReplyCommand | null {
  const said = quiet.exec(plain)?.[1] ?? plain;
  if (said === 'resume') return { command: 'resume' };
  if (said === 'daily' || said === 'weekly') return { command: 'frequency', frequency: said };
  const pause = /^pause (?:for )?(\d{1,3})(?: ?days?)?$/.exec(said);
  if (pause !== null) {
    const days = Number(pause[1]);
    return days >= 1 && days <= 365 ? { command: 'pause', days } : null;
  }
  return readHour(said);
}

/** A whole hour, `7am`, `7 a.m.`, `7:00 PM` or `19:00`; a bare number could mean anything. */
function readHour(said: string): ReplyCommand | null {
  const twelve = /^(\d{1,2})(?:[:.]00)? ?([ap])\.? ?m\.?$/.exec(said);
  if (twelve !== null) {
    const hour = Number(twelve[1]);
    if (hour < 1 || hour > 12) return null;
    return { command: 'hour', delivery_hour: (hour % 12) + (twelve[2] === 'p' ? 12 : 0) };
  }
  const full = /^([01]?\d|2[0-3]):00$/.exec(said);
  return full === null ? null : { command: 'hour', delivery_hour: Number(full[1]) };
}

const set = (words: string) => new Set(words.split(' '));

const stopVerbs = set('stop stopall quit cease cancel unsubscribe remove revoke optout end');
/** What may stand before the verb without changing what is asked. */
const fillers = set(
  'please pls plz kindly just can could would will you u i want wanna need to like id im hi hello hey ok okay now so ' +
    'thanks thank must should have got sorry and me asap dear team guys yall everyone already',
);
/** What may follow it; any other word means that something else is to stop. */
const objects = set(
  'texting messaging sending contacting bothering spamming texts text txt txts message messages msgs msg sms me us my these ' +
    'those this that it the all any more now please pls plz thanks thank you u immediately already from your list number ' +
    'service subscription everything ever again to for good at once right away daily motivational phone asap messaging ' +
    'out of account today sir receiving getting program mailing here so much and bye consent permission msging txting',
);
const negations = set(
  'dont not never wont cant cannot didnt doesnt shouldnt wouldnt couldnt isnt arent non without nothing nobody',
);
const maxWords = 14;

/** Ways to ask it without such a verb at the right place. */
const requests = [
  /^(please |pls |plz )*(dont|do not|never) (ever )?(text|message|msg|contact|sms|bother|spam) me\b/,
  /^(please |pls |plz )*(dont|do not) send (me )?(any ?more|any|more|these|this|anything)\b/,
  /^(please |pls |plz |no )*no more (of )?(these |this |your |daily )*(texts|messages|msgs|sms|texting|messaging)\b/,
  /^(please |no )*no more( please| pls| thanks| thank you)?$/,
  /^(please |pls |plz )*leave me alone\b/,
  /^(please )*i (do not|dont|no longer) want (to (get|receive) )?(any ?more |any |these |this |your |daily )*(texts|messages|msgs|sms)\b/,
];
/** The same anywhere in a sentence, unless it is denied before. */
const requestsWithin = [
  /\b(take|get) me off (of )?(your|this|the|that|ur) (list|texts|messages)\b/,
  /\b(opt me out|opting out)\b/,
  /\bunsubscribe me\b/,
  /\bremove (me|my number) from\b/,
];

/** A sentence that asks for no more texts. Strict on purpose: what it lets pass, a person reads. */
function asksToStop(words: string[]): boolean {
  if (words.length === 0 || words.length > maxWords) return false;
  const sentence = words.join(' ');
  if (requests.some((request) => request.test(sentence))) return true;
  if (requestsWithin.some((request) => isAskedWithin(sentence, request))) return true;
  const at = words.findIndex((word) => stopVerbs.has(word));
  if (at === -1) return false;
  const before = words.slice(0, at);
  const after = words.slice(at + 1);
  if (before.some((word) => negations.has(word))) return false;
  // "I quit" or "the end" says nothing of texts; with stop, cancel and the like the bare verb does.
  const vague = words[at] === 'quit' || words[at] === 'end';
  if (vague && after.length === 0) return false;
  return (
    before.every((word) => fillers.has(word)) &&
    after.every((word) => objects.has(word) || stopVerbs.has(word))
  );
}

function isAskedWithin(sentence: string, request: RegExp): boolean {
  const at = sentence.search(request);
  return (
    at >= 0 &&
    !sentence
      .slice(0, at)
      .split(' ')
      .some((word) => negations.has(word))
  );
}
