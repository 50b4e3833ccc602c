/** Fields of Stripe's error body besides `type` and `message`. */
export interface ErrorFields {
  code?: string;
  param?: string;
  decline_code?: string;
  payment_intent?: object;
  setup_intent?: object;
  charge?: string;
}

/** An answer that is an error; the HTTP status, not the type, decides the SDK's class. */
export class StripeApiError extends Error {
  readonly statusCode: number;
  readonly type: string;
  readonly fields: ErrorFields;
  /** Whether the refusal came before the endpoint began, so that no idempotent result is kept. */
  readonly beforeExecution: boolean;

  constructor(
    statusCode: number,
    type: string,
    message: string,
    fields: ErrorFields = {},
    beforeExecution = false,
  ) {
    super(message);
    this.statusCode = statusCode;
    this.type = type;
    this.fields = fields;
    this.beforeExecution = beforeExecution;
  }

  /** The JSON body. */
  body(): object {
    const doc = this.fields.code
      ? { doc_url: `https://stripe.com/docs/error-codes/${this.fields.code.replaceAll('_', '-')}` }
      : {};
    return { error: { ...this.fields, ...doc, message: this.message, type: this.type } };
  }
}

/** A parameter that is wrong by itself: refused before anything is executed. */
export function invalidRequest(message: string, fields: ErrorFields): StripeApiError {
  return new StripeApiError(400, 'invalid_request_error', message, fields, true);
}

/** A request that the state of things forbids. */
export function refused(message: string, fields: ErrorFields = {}): StripeApiError {
  return new StripeApiError(400, 'invalid_request_error', message, fields);
}

/** The object of the path does not exist. */
export function missingObject(label: string, id: string): StripeApiError {
  return new StripeApiError(404, 'invalid_request_error', `No such ${label}: '${id}'`, {
    code: 'resource_missing',
    param: 'id',
  });
}

/** A parameter names an object that does not exist. */
export function missingReference(label: string, id: string, param: string): StripeApiError {
  return refused(`No such ${label}: '${id}'`, { code: 'resource_missing', param });
}

export function cardError(message: string, fields: ErrorFields): StripeApiError {
  return new StripeApiError(402, 'card_error', message, fields);
}

export function idempotencyError(status: 400 | 409, message: string): StripeApiError {
  const code = status === 409 ? { code: 'idempotency_key_in_use' } : {};
  return new StripeApiError(status, 'idempotency_error', message, code, true);
}

export function unauthorized(message: string): StripeApiError {
  return new StripeApiError(401, 'invalid_request_error', message, {}, true);
}

export function unknownUrl(method: string, path: string): StripeApiError {
  return new StripeApiError(
    404,
    'invalid_request_error',
    `Unrecognized request URL (${method}: ${path}). This sandbox may not emulate it.`,
    {},
    true,
  );
}
