import { eventually } from '@daylift/testing/eventually';
import type { ApiResponse, Signup } from '../product-client.ts';
import { startTestStack, type TestStack } from '../stack-for-test.ts';

let started: TestStack | undefined;
let people = 0;

/** One product for all attacks in a file. */
export const startTarget = (): Promise<void> => startTargetWith({});
export async function startTargetWith(env: Record<string, string>): Promise<void> {
  started = await startTestStack({ CLOCK_START: '2027-05-03T15:00:00Z', ...env });
}
export const stopTarget = async (): Promise<void> => started?.stop();

export function target(): TestStack {
  if (started === undefined) throw new Error('The product is not running.');
  return started;
}
export const signInAdmin = (): Promise<string> =>
  target().product.adminLogin(target().stack.adminCredentials);

/** Passwords typed in this file; none may be found anywhere afterward. */
export const password = 'canary good morning';
export const stolen = 'canary stolen evening';
export const guessed = 'canary guessed noon';

export type Person = Signup & { id: string };

export async function aPerson(changes: Partial<Signup> = {}): Promise<Person> {
  people += 1;
  const signup: Signup = {
    name: `Target ${people}`,
    email: `target-${people}@example.com`,
    phone: `+1415555${4000 + people}`,
    password,
    timezone: 'America/New_York',
    delivery_time: '09:00',
    sms_consent: true,
    ...changes,
  };
  return { ...signup, id: await target().product.signUp(signup) };
}

export async function aSubscriber(changes: Partial<Signup> = {}): Promise<Person> {
  const { product } = target();
  const person = await aPerson(changes);
  await product.pay(await product.openCheckout(person.id));
  await product.settle();
  return person;
}

export const post = <T = { detail: string; code: string }>(
  path: string,
  body?: unknown,
  token?: string,
) => target().product.api<T>('POST', path, body, token);
export const get = <T = Record<string, unknown>>(path: string, token?: string) =>
  target().product.api<T>('GET', path, undefined, token);
export const logIn = ({ email }: { email: string }, word = password) =>
  post<{ access_token: string }>('/users/login', { login: email, password: word });
export const mailsTo = async (email: string) =>
  (
    await target().product.sandbox<{ subject: string; text: string; from_name: string }[]>(
      'GET',
      `/sandbox/emails?to=${encodeURIComponent(email)}`,
    )
  ).body;
export const statusOf = async (response: Promise<ApiResponse>) => (await response).status;
export const isSignedIn = async (token: string) => (await get('/users/me', token)).status === 200;
/** Waits until a token is rejected, within a second. */
export const isEnded = (token: string) =>
  eventually(async () => !(await isSignedIn(token)), { what: 'the end of a session' });
