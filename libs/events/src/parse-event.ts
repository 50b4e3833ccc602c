import { type EventEnvelope, EventEnvelopeSchema } from '@daylift/contracts/event';
import { isValid } from '@daylift/contracts/is-valid';

/** Returns the event in the text of a message, or null if it is not an event. */
export function parseEvent(text: string): EventEnvelope | null {
  try {
    const body: unknown = JSON.parse(text);
    return isValid(EventEnvelopeSchema, body) ? (body as EventEnvelope) : null;
  } catch {
    return null;
  }
}
