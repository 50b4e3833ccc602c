import { describe, expect, it } from 'vitest';
import { readReply } from './keywords.ts';

const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Every word that stops, in the spellings that phones and people produce. */
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
  (word) =>
    word.replaceAll(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
  (word) => `${word} ${word}`,
];

const sentences = lines(`
  please stop texting me
  Please stop.
  stop please
  STOP TEXTING ME
  Stop texting me!!!
  stop it
  stop this
  Stop now
  stop now please
  stop sending me these texts
  Stop sending messages
  stop messaging me please
  please stop these messages
  Please stop sending me texts.
  pls stop
  plz stop txt msgs to me
  can you stop texting me
  Could you please stop
  would you stop sending me messages please
  I want to stop
  i want you to stop texting me
  I would like to stop getting texts
  i'd like to cancel my subscription
  Cancel my subscription
  cancel subscription please
  please cancel
  I need to cancel
  I want to unsubscribe
  unsubscribe me
  please unsubscribe me from this list
  Unsubscribe please
  how do I do this unsubscribe me
  remove me
  remove me from your list
  Remove my number
  please remove my number from your list
  take me off your list
  Take me off this list please
  Opt me out
  I want to opt out
  opt out please
  Don't text me
  don't text me again
  Do not text me anymore
  do not contact me
  Never text me again
  don't send me any more messages
  Please do not send me these
  Do not send anything
  no more texts
  No more messages please
  no more
  leave me alone
  Please leave me alone
  I don't want these texts
  I do not want to receive these messages
  I no longer want to get texts
  stop all texts
  stop all messages now
  stop everything
  Stop the texts
  stop contacting me
  stop bothering me
  quit texting me
  Quit sending me messages
  end my subscription
  end these texts
  revoke my consent
`);

const notStops = lines(`
  don't stop
  Don't stop!
  dont stop
  DON'T STOP
  do not stop
  please don't stop
  Please do not stop texting me
  never stop
  Never stop!
  I can't stop smiling
  I cannot stop laughing
  I won't stop
  i will not stop
  won't quit
  I will never quit
  never quit
  don't quit
  I didn't quit
  non-stop
  nonstop fun
  unstoppable
  nothing can stop me
  Nothing will stop me now
  who can stop me
  stop by the store
  stop by later
  Can you stop by later
  bus stop
  meet me at the bus stop
  next stop: success
  I stopped smoking
  I stopped
  stop worrying, start living
  Stop and smell the roses
  I had to stop for gas
  when does it stop
  why would you stop
  do you ever stop
  stop the world I want to get off
  stop making me cry
  Stop it, you are making me blush
  stopping now
  non stop
  the end
  The End.
  in the end it was fine
  end of the day
  at the end of the day
  weekend
  have a great weekend
  what time does this end
  happy ending
  to no end
  it never ends
  cancel culture
  they cancelled my flight
  my flight was cancelled
  cancelled
  I quit
  I quit my job today
  I quit smoking thanks to you
  quit smoking day 3
  Should I quit my job?
  remove the stain
  removed
  how do I remove a tattoo
  revoked
  quite nice
  Quite
  quitter
  endless
  Ended well
  stops
  top
  stomp
  shop
  step
  I love these
  Thank you
  thanks!
  Great one today
  Love it
  this made my day
  Who is this?
  who are you
  wrong number
  yes please keep going
  keep them coming
  more please
  I don't want this to end
  I don't ever want you to stop
  can't wait for the next one
  good morning
  lol
  ok
  no
  N
  ?
  👍
  7
  19
  hello
  what is the optimal time
  opt in
  opting for joy
  I am out
  help me stop procrastinating
  how can I stop being lazy
  how do I change my number
  can I pause
  can I change the time
  I need a break
  what does STOP mean
  do I text STOP to end this?
  if I say stop will it end
  your texts stop me from giving up
  please send more
  do not give up
  don't end
  Please don't take me off the list
  don't unsubscribe me
  do not remove me from your list
  don't opt me out
  I do not want to opt out
  call me
  not today
  never mind
  I never get these texts
  no problem
  no more excuses
  don't text and drive
  I want more texts
`);

describe('STOP', () => {
  it.each(words.flatMap((word) => spellings.map((spell) => [spell(word)])))('%j stops', (text) => {
    expect(readReply(text)).toEqual({ is: 'stop', by: 'keyword' });
  });

  it.each(sentences.map((text) => [text]))('“%s” stops and is put up for review', (text) => {
    expect(readReply(text)).toEqual({ is: 'stop', by: 'phrase' });
  });

  it.each(notStops.map((text) => [text]))('“%s” does not stop', (text) => {
    expect(readReply(text).is).not.toBe('stop');
  });

  it('the corpus is as large as we say', () => {
    expect(notStops.length).toBeGreaterThanOrEqual(100);
    expect(words.length * spellings.length + sentences.length + notStops.length).toBeGreaterThan(
      300,
    );
  });
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
    ['yes but later', 'other'],
    ['help me choose a time', 'other'],
    ['starting now', 'other'],
    ['', 'other'],
    ['   ', 'other'],
    ['🙂', 'other'],
  ])('%j is %s', (text, is) => {
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
    'PAUSE',
    'PAUSE 0',
    'PAUSE 366',
    'PAUSE -3',
    'pause me',
    '7',
    '25:00',
    '24:00',
    '7:30',
    '13pm',
    '0am',
    '7:30 am',
    'daily please',
    'at 7am or 8am',
  ])('%j changes nothing, a person reads it', (text) => {
    expect(readReply(text)).toEqual({ is: 'other' });
  });
});
