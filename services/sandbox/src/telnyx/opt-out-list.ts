import { parse } from 'qs';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { OptOut } from './telnyx.ts';
import { refusal } from './telnyx-errors.ts';
import { offsetIso, PROFILE_ID } from './texts.ts';

const strict = { additionalProperties: false } as const;
const Digits = Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,5}$' }));
const Query = Type.Object(
  {
    page: Type.Optional(Type.Object({ number: Digits, size: Digits }, strict)),
    filter: Type.Optional(
      Type.Object({ messaging_profile_id: Type.Optional(Type.String()) }, strict),
    ),
  },
  strict,
);

const maxPageSize = 250;

/** Returns a page of the block list, newest first, like `GET /v2/messaging_optouts`. */
export function listOptOuts(query: string, optOuts: OptOut[], from: string): object {
  const wanted = parse(query);
  if (!Value.Check(Query, wanted)) {
    const [error] = Value.Errors(Query, wanted);
    const detail = `The parameter '${error?.instancePath}' is unknown or invalid.`;
    throw refusal('10015', detail, { status: 400 });
  }
  const number = Number(wanted.page?.number ?? 1);
  const size = Math.min(maxPageSize, Number(wanted.page?.size ?? 20));
  const profile = wanted.filter?.messaging_profile_id ?? PROFILE_ID;
  const listed = profile === PROFILE_ID ? optOuts : [];
  const newestFirst = listed.toSorted((one, other) => (one.created_at < other.created_at ? 1 : -1));
  return {
    data: newestFirst.slice((number - 1) * size, number * size).map((one) => ({
      ...{ from, to: one.from, keyword: one.keyword, messaging_profile_id: PROFILE_ID },
      created_at: offsetIso(one.created_at),
    })),
    meta: {
      page_number: number,
      page_size: size,
      total_pages: Math.ceil(listed.length / size),
      total_results: listed.length,
    },
  };
}
