/** Fields of Stripe's error body besides `type` and `message`. */
export interface ErrorFields {
  code?: string;
  param?: string;
  decline_code?: string;
  payment_intent?: object;
  charge?: string;
}

/** An error response. The SDK chooses its class by the HTTP status, not by the type. */
export class StripeApiError extends Error {
  readonly statusCode: number;
  readonly type: string;
  readonly fields: ErrorFields;
  /** Whether it was rejected before execution, in which case no idempotent result is kept. */
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

/** Rejects a parameter before anything is executed. */
export function invalidRequest(message: string, fields: ErrorFields = {}): StripeApiError {
  return new StripeApiError(400, 'invalid_request_error', message, fields, true);
}

/** Rejects a request that the current state forbids. */
export function refused(message: string, fields: ErrorFields = {}): StripeApiError {
  return new StripeApiError(400, 'invalid_request_error', message, fields);
}

export function missingObject(label: string, id: string): StripeApiError {
  return new StripeApiError(404, 'invalid_request_error', `No such ${label}: '${id}'`, {
    code: 'resource_missing',
    param: 'id',
  });
}

export function missingReference(label: string, id: string, param: string): StripeApiError {
  return refused(`No such ${label}: '${id}'`, { code: 'resource_missing', param });
}

export function cardError(message: string, fields: ErrorFields): StripeApiError {
  return new StripeApiError(402, 'card_error', message, fields);
}
