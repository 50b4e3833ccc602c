import { refusal } from './telnyx-errors.ts';

/** A lookup that the provider charged, in the product's time. */
export interface Lookup {
  number: string;
  at: string;
}

/** Returns what `GET /v2/number_lookup/:number?type=carrier` responds. */
export function lookupOf(number: string, type: string): Record<string, unknown> {
  if (!/^\+[1-9]\d{6,14}$/.test(number)) throw refusal('10016');
  const isMobile = type === 'mobile';
  return {
    record_type: 'number_lookup',
    phone_number: number,
    country_code: number.startsWith('+1') ? 'US' : null,
    national_format: number.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3'),
    carrier: {
      ...{ type, error_code: null, mobile_country_code: '', mobile_network_code: '' },
      name: isMobile ? 'T-MOBILE USA, INC.' : 'LEVEL 3 COMMUNICATIONS, LLC',
      normalized_carrier: isMobile ? 'T-Mobile US' : '',
    },
    portability: { line_type: type, ported_status: '', lrn: '', ocn: '', spid: '' },
    caller_name: null,
    fraud: null,
  };
}
