/** Fields with personal data in any form, which are never shown. */
const personal =
  /(^|_)(name|phone|number|email|mail|address|ip|to|from|user_agent|username|content|text|message|subject|body|words|password|code|hash|birthday)s?$/i;

/** Forms without personal data: ids, times, zones and the product's own short words. */
const harmless = [
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  /^\d{8}-[0-9a-f]{32}$/,
  /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/,
  /^[A-Z][A-Za-z]+(\/[A-Z][A-Za-z_-]+){1,2}$/,
  /^[a-z][a-z]*([._][a-z]+)*$/,
  /^(cus|sub|in|cs|pi|ch|re|price|evt|si)_[A-Za-z0-9_]+$/,
];
const maxWordLength = 60;
const mask = '•••';

/** Masks everything in a payload that isn't known to be harmless; ids and times stay readable. */
export function maskPayload(value: unknown, key = ''): unknown {
  if (value === null || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map((one) => maskPayload(one, key));
  if (typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, maskPayload(inner, name)]),
    );
  if (personal.test(key)) return mask;
  if (typeof value === 'number') return value;
  const text = String(value);
  return text.length <= maxWordLength && harmless.some((form) => form.test(text)) ? text : mask;
}
