import { Textarea, type TextareaProps } from '@mantine/core';

/** The content of a text. */
export const ContentField = ({ advice = '', ...input }: TextareaProps & { advice?: string }) => (
  <Textarea
    label="Content"
    description={`${advice}{{first_name}} becomes each subscriber's first name.`}
    autosize
    minRows={4}
    maxLength={1600}
    withAsterisk
    {...input}
  />
);

/** For texts that go to many people, again and again. */
export const onePartAdvice = 'Keep it within 160 plain characters (one part). ';
