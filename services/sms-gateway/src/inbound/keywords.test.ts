import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readReply } from './keywords.ts';

/** Every keyword in the spellings that phones and people produce. */
const words = [
  'STOP',
  'STOPALL',
  'STOP ALL',
  'UNSUBSCRIBE',
  'CANCEL',
  'END',
  'QUIT',
  'OPTOUT',
  'OPT OUT',
  'REVOKE',
  'REMOVE',
  'ARRET',
  'BAJA',
  'PARAR',
  'STOPP',
];
const spellings: ((word: string) => string)[] = [
  (word) => word,
  (word) => word.toLowerCase(),
  (word) => word[0] + word.slice(1).toLowerCase(),
  (word) => `${word}.`,
  (word) => `  ${word.toLowerCase()}!!! `,
  (word) => `"${word}"`,
  (word) => `“${word.toLowerCase()}”`,
  (word) => `${word}\n`,
  (word) => `\u200b${word}\u200b`,
  (word) => `${word} 🙏`,
  (word) => [...word].join(' '),
  (word) => [...word].join('.'),
  (word) => word.replace(' ', '-'),
  (word) => word.replace(' ', '  '),
  (word) => word.replace(/[OE]/, (vowel) => (vowel === 'O' ? 'Ó' : 'É')),
  (word) => word.replaceAll(/[A-Z]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)),
  (word) => `${word} ${word}`,
];

/** Replies in English, French, Spanish and German. */
const corpus = JSON.parse(
  readFileSync(new URL('replies.corpus.json', import.meta.url), 'utf8'),
) as Record<'keyword' | 'phrase' | 'not_stop', string[]>;

describe('STOP', () => {
  it.each(words.flatMap((word) => spellings.map((spell) => [spell(word)])))('%j stops', (text) => {
    expect(readReply(text)).toEqual({ is: 'stop', by: 'keyword' });
  });

  it.each(corpus.keyword.map((text) => [text]))('%j stops', (text) => {
    expect(readReply(text)).toEqual({ is: 'stop', by: 'keyword' });
  });

  it.each(corpus.phrase.map((text) => [text]))('%j stops and is flagged for review', (text) => {
    expect(readReply(text)).toEqual({ is: 'stop', by: 'phrase' });
  });

  it.each(corpus.not_stop.map((text) => [text]))('%j does not stop', (text) => {
    expect(readReply(text).is).not.toBe('stop');
  });

  it("is tested with at least 300 replies, 100 of which don't stop", () => {
    expect(new Set(Object.values(corpus).flat()).size).toBeGreaterThanOrEqual(300);
    expect(corpus.not_stop.length).toBeGreaterThanOrEqual(100);
  });

  it.each(['dont you ', 'no quiero ', 'bitte ', '"“', '! ', 'stop '])(
    'a reply of only %j is parsed within 250 ms',
    (part) => {
      const text = `${part.repeat(2_000 / part.length)}x`;
      const startedAt = performance.now();
      readReply(text);
      expect(performance.now() - startedAt).toBeLessThan(250);
    },
  );
});

describe('other words', () => {
  it.each([
    ['START', 'start'],
    [' start. ', 'start'],
    ['UNSTOP', 'start'],
    ['un-stop', 'start'],
    ['HELP', 'help'],
    ['help?', 'help'],
    ['Info', 'help'],
    ['YES', 'yes'],
    ['yes!', 'yes'],
    ['Y', 'yes'],
    ['Yes please', 'yes'],
    ['PAUSE', 'pause'],
    ['Pause.', 'pause'],
    ['PAUSE 0', 'pause'],
    ['PAUSE 366', 'pause'],
    ['PAUSE -3', 'pause'],
    ['pause for 2 weeks', 'pause'],
    ['pause 2 stop', 'stop'],
    ['yes but later', 'other'],
    ['help me choose a time', 'other'],
    ['starting now', 'other'],
    ['', 'other'],
    ['   ', 'other'],
    ['🙂', 'other'],
  ])('%j means %s', (text, is) => {
    expect(readReply(text).is).toBe(is);
  });

  it.each([
    ['PAUSE 7', { command: 'pause', days: 7 }],
    ['pause 1 day', { command: 'pause', days: 1 }],
    ['Pause for 14 days.', { command: 'pause', days: 14 }],
    ['PAUSE 365', { command: 'pause', days: 365 }],
    ['resume', { command: 'resume' }],
    ['RESUME!', { command: 'resume' }],
    ['7AM', { command: 'hour', delivery_hour: 7 }],
    ['7 AM', { command: 'hour', delivery_hour: 7 }],
    ['7 a.m.', { command: 'hour', delivery_hour: 7 }],
    ['07:00 am', { command: 'hour', delivery_hour: 7 }],
    ['7pm', { command: 'hour', delivery_hour: 19 }],
    ['12pm', { command: 'hour', delivery_hour: 12 }],
    ['12 AM', { command: 'hour', delivery_hour: 0 }],
    ['19:00', { command: 'hour', delivery_hour: 19 }],
    ['0:00', { command: 'hour', delivery_hour: 0 }],
    ['DAILY', { command: 'frequency', frequency: 'daily' }],
    ['weekly.', { command: 'frequency', frequency: 'weekly' }],
  ])('%j changes a setting', (text, change) => {
    expect(readReply(text)).toEqual({ is: 'command', change });
  });

  it.each([
    ['8:30 PM', [20, 21]],
    ['8.30pm', [20, 21]],
    ['11:45 p.m.', [23, 0]],
    ['7:30 am', [7, 8]],
    ['12:30 AM', [0, 1]],
    ['7:30', [7, 19]],
    ['12:15', [0, 12]],
    ['19:30', [19, 20]],
    ['0:30', [0, 1]],
  ])('%j is a time between the hours %j', (text, hours) => {
    expect(readReply(text)).toEqual({ is: 'time', hours });
  });

  it.each([
    'pause me',
    'pause until Monday, please',
    '7',
    '25:00',
    '24:00',
    '25:30',
    '13:30 pm',
    '13pm',
    '0am',
    'it is 8:30 PM here',
    'daily please',
    'at 7am or 8am',
  ])('%j changes nothing and goes to the inbox', (text) => {
    expect(readReply(text)).toEqual({ is: 'other' });
  });
});
