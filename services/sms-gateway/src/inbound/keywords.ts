import type { ReplyCommand } from '@daylift/contracts/sms.events';
import {
  denials,
  fillers,
  foreignRequests,
  maxWords,
  negations,
  objects,
  requests,
  requestsWithin,
  sayings,
  stopPhrases,
  stopVerbs,
  stopWords,
} from './stop-words.ts';

/** The meaning of a reply. A `stop` by phrase takes effect immediately and is also flagged for review. */
export type Meaning =
  | { is: 'stop'; by: 'keyword' | 'phrase' }
  | { is: 'start' }
  | { is: 'help' }
  | { is: 'yes' }
  | { is: 'command'; change: ReplyCommand }
  /** PAUSE without a valid number of days. */
  | { is: 'pause' }
  /** A time that isn't on the hour, and the hours it may mean. */
  | { is: 'time'; hours: [number, number] }
  | { is: 'other' };

const startWords = new Set(['start', 'unstop']);
const helpWords = new Set(['help', 'info']);
const vaguePause = /^pause(?: for)?(?: \d+(?: ?(?:day|week|month)s?)?)?$/;
const yesWords = new Set(['yes', 'y', 'yesplease']);

/** Parses a reply, ignoring case, spacing, accents and punctuation. Only STOP counts among other words. */
export function readReply(text: string): Meaning {
  const lines = linesOf(text);
  const plain = lines.join(' ');
  if (/^(?:[🛑✋⛔]\s*)+$/u.test(plain)) return { is: 'stop', by: 'phrase' };
  const change = readCommand(plain);
  if (change !== null) return { is: 'command', change };
  const hours = readTimeBetween(plain);
  if (hours !== null) return { is: 'time', hours };
  const words = wordsOf(plain);
  const whole = words.join('');
  if (startWords.has(whole)) return { is: 'start' };
  if (helpWords.has(whole)) return { is: 'help' };
  if (yesWords.has(whole)) return { is: 'yes' };
  if (vaguePause.test(words.join(' '))) return { is: 'pause' };
  if (words.length > 0 && words.every((word) => stopWords.has(word)))
    return { is: 'stop', by: 'keyword' };
  if ([plain, lines[0], lines.at(-1)].some((line) => stopWords.has(wordsOf(line ?? '').join(''))))
    return { is: 'stop', by: 'keyword' };
  if (stopPhrases.has(words.join(' '))) return { is: 'stop', by: 'phrase' };
  return stopsInWords(plain) || isStopRequest(words)
    ? { is: 'stop', by: 'phrase' }
    : { is: 'other' };
}

/** Cyrillic and Greek letters that look like letters of a stop word. */
const homoglyphs: Record<string, string> = {
  ѕ: 's',
  т: 't',
  τ: 't',
  о: 'o',
  ο: 'o',
  р: 'p',
  ρ: 'p',
};

/** Returns the sender's own lines in lower case, without accents, invisible characters and full-width forms. */
function linesOf(text: string): string[] {
  return withoutQuotes(text)
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replaceAll(/[ѕтτоορр]/g, (char) => homoglyphs[char] ?? char)
    .replaceAll(/(?<![\p{L}\p{N}])s+t+[o0]+p+(?![\p{L}\p{N}])/gu, (word) =>
      word === 'stopp' || word === 'stoop' ? word : 'stop',
    )
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '' && !line.startsWith('>'));
}

/** Removes quotations of our own texts, which end in "STOP to cancel", from reactions and forwards. */
function withoutQuotes(text: string): string {
  const rest = text.replaceAll(/["“„«][^"“”„«»]{20,}["“”»]/g, ' ');
  return /\p{L}/u.test(rest) ? rest : text;
}

/** Returns the words, joining those with two parts. */
function wordsOf(plain: string): string[] {
  const words = plain.replaceAll(/['’ʼ]/g, '').match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .join(' ')
    .replaceAll(/\b(opt out|stop all)\b/g, (pair) => pair.replace(' ', ''))
    .split(' ')
    .filter(Boolean);
}

/** Returns whether the reply starts or ends with a stop word or asks to stop, ignoring denials and sayings. */
function stopsInWords(plain: string): boolean {
  const clauses = plain.split(/[.!?,;:()…–—]+/).map((clause) => wordsOf(clause).join(' '));
  let masked = clauses.filter(Boolean).join(' | ');
  for (const harmless of [...denials, ...sayings]) masked = masked.replaceAll(harmless, '_');
  const words = masked.split(' ');
  return (
    stopWords.has(words[0] ?? '') ||
    stopWords.has(words.at(-1) ?? '') ||
    foreignRequests.some((request) => request.test(masked))
  );
}

const maxCommandLength = 40;
const quiet = /^["'“”‘’(\s]*(.*?)["'“”‘’)\s.!?,;]*$/u;

function readCommand(plain: string): ReplyCommand | null {
  if (plain.length > maxCommandLength) return null;
  const command = quiet.exec(plain)?.[1] ?? plain;
  if (command === 'resume') return { command: 'resume' };
  if (command === 'daily' || command === 'weekly')
    return { command: 'frequency', frequency: command };
  const pause = /^pause (?:for )?(\d{1,3})(?: ?days?)?$/.exec(command);
  if (pause !== null) {
    const days = Number(pause[1]);
    return days >= 1 && days <= 365 ? { command: 'pause', days } : null;
  }
  return readHour(command);
}

/** Parses a full hour such as `7am`, `7 a.m.`, `7:00 PM` or `19:00`. A bare number is ambiguous. */
function readHour(words: string): ReplyCommand | null {
  const twelve = /^(\d{1,2})(?:[:.]00)? ?([ap])\.? ?m\.?$/.exec(words);
  if (twelve !== null) {
    const hour = Number(twelve[1]);
    if (hour < 1 || hour > 12) return null;
    return { command: 'hour', delivery_hour: (hour % 12) + (twelve[2] === 'p' ? 12 : 0) };
  }
  const full = /^([01]?\d|2[0-3]):00$/.exec(words);
  return full === null ? null : { command: 'hour', delivery_hour: Number(full[1]) };
}

/** Parses a time with minutes, such as `8:30 PM`. Without AM or PM it may be either. */
function readTimeBetween(plain: string): [number, number] | null {
  const words = quiet.exec(plain)?.[1] ?? plain;
  const time = /^(\d{1,2})[:.](?!00)[0-5]\d ?(?:([ap])\.? ?m\.?)?$/.exec(words);
  if (time === null) return null;
  const [hour, half] = [Number(time[1]), time[2]];
  if (half === undefined && (hour === 0 || hour > 12))
    return hour > 23 ? null : [hour, (hour + 1) % 24];
  if (hour < 1 || hour > 12) return null;
  const morning = hour % 12;
  if (half === undefined) return [morning, morning + 12];
  const first = morning + (half === 'p' ? 12 : 0);
  return [first, (first + 1) % 24];
}

/** Returns whether a sentence asks for no more texts. Strict, because an operator reads the rest. */
function isStopRequest(words: string[]): boolean {
  if (words.length === 0 || words.length > maxWords) return false;
  const sentence = words.join(' ');
  if (requests.some((request) => request.test(sentence))) return true;
  if (requestsWithin.some((request) => isRequestedIn(sentence, request))) return true;
  const at = words.findIndex((word) => stopVerbs.has(word));
  if (at === -1) return false;
  const before = words.slice(0, at);
  const after = words.slice(at + 1);
  if (before.some((word) => negations.has(word))) return false;
  // "I quit" and "the end" don't mean texts; a bare "stop" or "cancel" does.
  const vague = words[at] === 'quit' || words[at] === 'end';
  if (vague && after.length === 0) return false;
  return (
    before.every((word) => fillers.has(word)) &&
    after.every((word) => objects.has(word) || stopVerbs.has(word))
  );
}

function isRequestedIn(sentence: string, request: RegExp): boolean {
  const at = sentence.search(request);
  return (
    at >= 0 &&
    !sentence
      .slice(0, at)
      .split(' ')
      .some((word) => negations.has(word))
  );
}
