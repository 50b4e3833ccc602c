import { eventually } from '@daylift/testing/eventually';

export interface AcceptedText {
  id: string;
  from: string;
  to: string;
  text: string;
  dispatch: string | null;
  accepted_at: string;
  accepted_wall_at: string;
  status: string;
}

export interface ApiResponse<T = unknown> {
  status: number;
  body: T;
}

export interface Signup {
  name: string;
  email: string;
  phone: string;
  password: string;
  timezone: string;
  delivery_time: string;
  plan?: 'monthly' | 'yearly';
  delivery_frequency?: 'daily' | 'weekly';
  sms_consent?: boolean;
  ref?: string;
}

export interface AdvanceReport {
  now: string;
  stops: number;
  unsettled: { at: string }[];
}

export function createProductClient(urls: { gateway: string; sandbox: string }) {
  async function call<T>(
    base: string,
    method: string,
    path: string,
    body?: unknown,
    token?: string,
  ): Promise<ApiResponse<T>> {
    const send = () =>
      fetch(`${base}${path}`, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    // Retries like a browser: the server may have closed an idle connection.
    const response = await send().catch((error: unknown) => {
      if (method !== 'GET') throw error;
      return send();
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const read = isJson ? JSON.parse : String;
    return { status: response.status, body: (text === '' ? null : read(text)) as T };
  }

  const api = <T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    token?: string,
  ) => call<T>(urls.gateway, method, `/api${path}`, body, token);
  const sandbox = <T = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
    call<T>(urls.sandbox, method, path, body);

  async function must<T>(promise: Promise<ApiResponse<T>>, what: string): Promise<T> {
    const response = await promise;
    if (response.status >= 300)
      throw new Error(`${what}: ${response.status} ${JSON.stringify(response.body)}`);
    return response.body;
  }

  return {
    urls,
    api,
    sandbox,
    signUp: async (signup: Signup) =>
      (await must(api<{ id: string }>('POST', '/subscriptions', signup), 'signup')).id,
    openCheckout: async (id: string, plan: 'monthly' | 'yearly' = 'monthly') =>
      (
        await must(
          api<{ url: string; session_id: string }>('POST', '/payments/create-checkout', {
            subscription_id: id,
            plan,
            origin_url: urls.gateway,
          }),
          'checkout',
        )
      ).session_id,
    /** Completes the hosted page. */
    pay: (session: string, card = '4242424242424242') =>
      must(sandbox('POST', `/sandbox/checkout/${session}/complete`, { card }), 'payment'),
    login: async (login: string, password: string) =>
      (
        await must(
          api<{ access_token: string }>('POST', '/users/login', { login, password }),
          'login',
        )
      ).access_token,
    /** Opens the newest link mailed to this address, and returns the response. */
    confirmEmail: async (email: string, decline = false, password?: string) => {
      const token = await eventually(
        async () => {
          const { body } = await sandbox<{ text: string }[]>(
            'GET',
            `/sandbox/emails?to=${encodeURIComponent(email)}`,
          );
          return body.flatMap(({ text }) => /confirm-email#([\w-]+)/.exec(text)?.[1] ?? []).at(-1);
        },
        { within: 30_000, what: 'the link that confirms an email' },
      );
      return must(
        api('POST', '/users/confirm-email', { token, decline, password }),
        'confirmation',
      );
    },
    adminLogin: async (credentials: { username: string; password: string }) =>
      (await must(api<{ token: string }>('POST', '/admin/login', credentials), 'admin login'))
        .token,
    reply: (from: string, text: string) =>
      must(sandbox('POST', '/sandbox/inbound', { from, text }), 'reply'),
    faults: (dials: object) => must(sandbox('POST', '/sandbox/faults', dials), 'faults'),
    texts: (to?: string) =>
      must(
        sandbox<AcceptedText[]>(
          'GET',
          `/sandbox/messages${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`,
        ),
        'messages',
      ),
    now: async () =>
      new Date((await must(sandbox<{ now: string }>('GET', '/sandbox/clock'), 'clock')).now),
    /** `stopEveryHours` saves stops in long advances, between which no send is retried. */
    advance: (hours: number, stopEveryHours = 1) =>
      must(
        sandbox<AdvanceReport>('POST', '/sandbox/clock', {
          advance_hours: hours,
          stop_every_hours: stopEveryHours,
        }),
        'advance',
      ),
    /** `capMs`: how long each stop may take to settle. */
    advanceTo: (instant: Date, stopEveryHours = 1, capMs = 60_000) =>
      must(
        sandbox<AdvanceReport>('POST', '/sandbox/clock', {
          advance_to: instant.toISOString(),
          stop_every_hours: stopEveryHours,
          cap_ms: capMs,
        }),
        'advance',
      ),
    /** Waits until nothing is in progress, without moving the clock. */
    settle: () =>
      must(sandbox<AdvanceReport>('POST', '/sandbox/clock', { settle: true }), 'settle'),
  };
}

export type ProductClient = ReturnType<typeof createProductClient>;
