import type { ProviderPause } from '@daylift/contracts/freeze.http';
import type { SendPause } from './send-pause.repository.ts';

interface Words {
  problem: string;
  advice: string;
}

const wrongKey: Words = {
  problem: 'it does not accept our key',
  advice: 'Check the API key with the provider and in the configuration.',
};
const account: Words = {
  problem: 'our account there is closed or has not been verified',
  advice: 'Sign in to the provider’s portal: it says what it asks for.',
};
const number: Words = {
  problem: 'our sending number or its profile is not set up as it should be',
  advice: 'Look at the number and the messaging profile in the provider’s portal.',
};
const noMoney: Words = {
  problem: 'there is no money left in our account there',
  advice: 'Top up the balance in the provider’s portal.',
};
const spent: Words = {
  problem: 'our spending limit of the day is reached',
  advice: 'Raise the limit in the provider’s portal, or wait until midnight UTC.',
};
const unregistered: Words = {
  problem: 'our number is not registered for this kind of text',
  advice: 'Look at the registration (10DLC or toll-free) in the provider’s portal.',
};
const other: Words = {
  problem: 'it refuses our account',
  advice: 'Ask the provider; name the code.',
};

const theirs =
  'Look at the provider’s status page. Nothing has to be changed here: the provider is asked every half a minute.';
const silent: Words = { problem: 'it does not answer', advice: theirs };
const failing: Words = { problem: 'it answers with errors of its own', advice: theirs };
const unreachable: Words = {
  problem: 'it cannot be reached',
  advice:
    'Look at the provider’s status page, and at our own way out: name service, firewall, address of the provider.',
};
const outageWords = (reason: string): Words => {
  if (reason.startsWith('no_connection')) return unreachable;
  return reason === 'no_answer' ? silent : failing;
};

const byCode: Record<string, Words> = {
  '10009': wrongKey,
  '10001': wrongKey,
  '10010': wrongKey,
  '20002': wrongKey,
  http_401: wrongKey,
  http_403: wrongKey,
  '20012': account,
  '20013': account,
  '20100': noMoney,
  http_402: noMoney,
  '40333': spent,
  '40010': unregistered,
  '40329': unregistered,
  '40305': number,
  '40306': number,
  '40307': number,
  '40312': number,
  '40314': number,
  '40315': number,
  '40321': number,
  '40325': number,
  '40331': number,
  http_404: {
    problem: 'there is nothing at the address that we call',
    advice: 'Check the address of the provider in the configuration.',
  },
};

/** Completes "The provider refuses all texts:" or "The provider is down:". */
export function describePause(pause: SendPause): ProviderPause {
  const { problem, advice } = pause.is_outage
    ? outageWords(pause.reason)
    : (byCode[pause.reason.replace(/^provider_/, '')] ?? other);
  return {
    kind: pause.is_outage ? 'down' : 'refuses',
    since: pause.paused_at.toISOString(),
    code: pause.reason,
    problem,
    advice,
    next_try_at: pause.probe_at.toISOString(),
  };
}
