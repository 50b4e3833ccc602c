import { inSpan, SpanKind } from '@daylift/telemetry/tracing';
import type { Bus } from './bus.ts';

/** Continues the trace of the publisher, if there is one. */
export const sendEvent = (
  bus: Bus,
  event: { id: string; type: string; payload: string; traceparent: string | null },
  messageId?: string,
): Promise<void> =>
  inSpan(
    `publish ${event.type}`,
    {
      kind: SpanKind.PRODUCER,
      attributes: { 'messaging.system': 'nats', 'messaging.message.id': event.id },
      parent: event.traceparent,
    },
    () => bus.send(event, messageId),
  );
