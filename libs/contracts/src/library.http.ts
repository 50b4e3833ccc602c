import { type Static, Type } from 'typebox';
import { Faq, maxContentLength, maxTitleLength, TimeOfDay } from './content.http.ts';
import { Frequency, Nullable, OneOf, Page, StrictObject } from './fields.ts';
import { Search, Version } from './scheduled-messages.http.ts';

export const TemplateQuery = Type.Object({
  ...Page.properties,
  status: Type.Optional(OneOf('active', 'inactive')),
  search: Type.Optional(Search),
});
export type TemplateQuery = Static<typeof TemplateQuery>;

const Line = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' });

export const CreateTemplateRequest = StrictObject({
  title: Line(maxTitleLength),
  content: Line(maxContentLength),
  category: Type.Optional(Line(50)),
  frequency: Type.Optional(Frequency),
  scheduled_time: Type.Optional(Nullable(TimeOfDay)),
  tags: Type.Optional(Type.Array(Line(30), { maxItems: 10 })),
  is_active: Type.Optional(Type.Boolean()),
});
export type CreateTemplateRequest = Static<typeof CreateTemplateRequest>;

export const UpdateTemplateRequest = StrictObject({
  ...Type.Partial(CreateTemplateRequest).properties,
  version: Version,
});
export type UpdateTemplateRequest = Static<typeof UpdateTemplateRequest>;

export const UpdateSequenceTextRequest = StrictObject({
  content: Line(maxContentLength),
  is_active: Type.Boolean(),
  version: Version,
});
export type UpdateSequenceTextRequest = Static<typeof UpdateSequenceTextRequest>;

export const EditableFaq = Type.Object({ ...Faq.properties, version: Version });
export type EditableFaq = Static<typeof EditableFaq>;
export const EditableFaqList = Type.Array(EditableFaq);

export const CreateFaqRequest = StrictObject({ question: Line(300), answer: Line(4000) });
export type CreateFaqRequest = Static<typeof CreateFaqRequest>;

export const UpdateFaqRequest = StrictObject({ ...CreateFaqRequest.properties, version: Version });
export type UpdateFaqRequest = Static<typeof UpdateFaqRequest>;

export const OrderFaqsRequest = StrictObject({
  ids: Type.Array(Faq.properties.id, { maxItems: 200 }),
});
