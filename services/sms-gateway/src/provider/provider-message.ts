/** A message in the provider's records. */
export interface ProviderMessage {
  provider_id: string;
  status: string;
  error_code: string | null;
  parts: number | null;
  cost: string | null;
  currency: string | null;
  /** The status won't change again. */
  is_final: boolean;
}

/** Parses a message from the API or an event. All of its fields are documented as optional. */
export function readMessage(data: unknown): ProviderMessage | null {
  const message = (data ?? {}) as {
    id?: string;
    to?: { status?: string }[];
    errors?: { code?: string | number }[];
    parts?: number;
    cost?: { amount?: string | number; currency?: string } | null;
    completed_at?: string | null;
  };
  if (typeof message.id !== 'string') return null;
  const amount = message.cost?.amount;
  return {
    provider_id: message.id,
    status: message.to?.[0]?.status ?? 'unknown',
    error_code: codeOf({ errors: message.errors }),
    parts: message.parts ?? null,
    cost: amount === undefined ? null : String(amount),
    currency: message.cost?.currency ?? null,
    is_final: typeof message.completed_at === 'string',
  };
}

/** Returns the first error code of a response or a message. */
export function codeOf(body: unknown): string | null {
  const code = (body as { errors?: { code?: unknown }[] } | undefined)?.errors?.[0]?.code;
  return typeof code === 'string' || typeof code === 'number' ? String(code) : null;
}

/** Returns the title of the first error of a response. */
export function titleOf(body: unknown): string | null {
  const title = (body as { errors?: { title?: unknown }[] } | undefined)?.errors?.[0]?.title;
  return typeof title === 'string' ? title : null;
}
