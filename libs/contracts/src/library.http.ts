import { type Static, Type } from 'typebox';
import { Faq, longestContent, longestTitle, TimeOfDay } from './content.http.ts';
import { Frequency, Nullable, Page } from './fields.ts';
import { Search, Version } from './scheduled-messages.http.ts';

export const TemplateQuery = Type.Object({
  ...Page.properties,
  status: Type.Optional(Type.Union([Type.Literal('active'), Type.Literal('inactive')])),
  search: Type.Optional(Search),
});
export type TemplateQuery = Static<typeof TemplateQuery>;

const Line = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' });

export const CreateTemplateRequest = Type.Object(
  {
    title: Line(longestTitle),
    content: Line(longestContent),
    category: Type.Optional(Line(50)),
    frequency: Type.Optional(Frequency),
    scheduled_time: Type.Optional(Nullable(TimeOfDay)),
    tags: Type.Optional(Type.Array(Line(30), { maxItems: 10 })),
    is_active: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type CreateTemplateRequest = Static<typeof CreateTemplateRequest>;

export const UpdateTemplateRequest = Type.Object(
  { ...Type.Partial(CreateTemplateRequest).properties, version: Version },
  { additionalProperties: false },
);
export type UpdateTemplateRequest = Static<typeof UpdateTemplateRequest>;

/** Raw text with placeholders for the product's name and address. */
export const EditableFaq = Type.Object({ ...Faq.properties, version: Version });
export type EditableFaq = Static<typeof EditableFaq>;
export const EditableFaqList = Type.Array(EditableFaq);

export const CreateFaqRequest = Type.Object(
  { question: Line(300), answer: Line(4000) },
  { additionalProperties: false },
);
export type CreateFaqRequest = Static<typeof CreateFaqRequest>;

export const UpdateFaqRequest = Type.Object(
  { ...CreateFaqRequest.properties, version: Version },
  { additionalProperties: false },
);
export type UpdateFaqRequest = Static<typeof UpdateFaqRequest>;

export const OrderFaqsRequest = Type.Object(
  { ids: Type.Array(Faq.properties.id, { maxItems: 200 }) },
  { additionalProperties: false },
);
export type OrderFaqsRequest = Static<typeof OrderFaqsRequest>;
