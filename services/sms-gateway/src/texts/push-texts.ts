/** A text for the workers. */
export interface PushedText {
  id: string;
  batch_id?: string | null;
  traceparent?: string | null;
}

let push: ((texts: PushedText[]) => void) | undefined;

/** Passes due texts to `next` after the commit that stored them. Returns how to stop. */
export function onTextsQueued(next: (texts: PushedText[]) => void): () => void {
  push = next;
  return () => {
    push = undefined;
  };
}

export const isPushing = (): boolean => push !== undefined;

export const pushTexts = (texts: PushedText[]): void => push?.(texts);
