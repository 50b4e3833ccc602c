import type { ProviderPause } from '@daylift/contracts/freeze.http';
import type { SendPause } from './send-pause.repository.ts';

interface Words {
  problem: string;
  advice: string;
}

const wrongKey: Words = {
  problem: 'invalid API key',
  advice: 'Check the API key with the provider and in the configuration.',
};
const account: Words = {
  problem: 'account closed or not verified',
  advice: 'Sign in to the provider’s portal and follow its instructions.',
};
const number: Words = {
  problem: 'sending number or messaging profile misconfigured',
  advice: 'Check the number and the messaging profile in the provider’s portal.',
};
const noMoney: Words = {
  problem: 'account balance is empty',
  advice: 'Top up the balance in the provider’s portal.',
};
const dailyLimitReached: Words = {
  problem: 'daily spending limit reached',
  advice: 'Raise the limit in the provider’s portal, or wait until midnight UTC.',
};
const unregistered: Words = {
  problem: 'number not registered for this kind of text',
  advice: 'Check the registration (10DLC or toll-free) in the provider’s portal.',
};
const other: Words = {
  problem: 'account rejected',
  advice: 'Contact the provider’s support and mention the code.',
};

const checkStatusPage = 'Check the provider’s status page. Sending is retried every 30 seconds.';
const silent: Words = { problem: 'no response', advice: checkStatusPage };
const failing: Words = { problem: 'server errors', advice: checkStatusPage };
const unreachable: Words = {
  problem: 'unreachable',
  advice:
    'Check the provider’s status page, and our DNS, firewall and the configured provider URL.',
};
const outageWords = (reason: string): Words => {
  if (reason.startsWith('no_connection')) return unreachable;
  return reason === 'no_answer' ? silent : failing;
};

const byCode: Record<string, Words> = {
  '10009': wrongKey,
  '10010': wrongKey,
  '20002': wrongKey,
  http_401: wrongKey,
  http_403: wrongKey,
  '20012': account,
  '20013': account,
  '20100': noMoney,
  http_402: noMoney,
  '40333': dailyLimitReached,
  '40010': unregistered,
  '40329': unregistered,
  '10001': number,
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
    problem: 'API endpoint not found',
    advice: 'Check the configured provider URL.',
  },
};

/** Completes "The provider is rejecting all texts:" or "The provider is down:". */
export function describePause(pause: SendPause): ProviderPause {
  const { problem, advice } = pause.is_outage
    ? outageWords(pause.reason)
    : (byCode[pause.reason.replace(/^(provider|carrier)_/, '')] ?? other);
  return {
    kind: pause.is_outage ? 'down' : 'refuses',
    since: pause.paused_at.toISOString(),
    code: pause.reason,
    problem,
    advice,
    next_try_at: pause.probe_at.toISOString(),
  };
}
