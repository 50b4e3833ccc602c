import { traceHeaders } from '@daylift/telemetry/tracing';
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type StreamInfo,
} from '@nats-io/jetstream';
import {
  type ConnectionOptions,
  connect,
  headers,
  type NatsConnection,
} from '@nats-io/transport-node';
import { consumersOf, type EventOwner, hasUrgent, urgentTypes } from './access.ts';

export type { EventOwner };

export interface Bus {
  js: JetStreamClient;
  jsm: JetStreamManager;
  nats: NatsConnection;
  streamOf(owner: EventOwner): string;
  subjectOf(type: string): string;
  /** Creates the owner's stream, and a consumer for each service that reads it, where missing. Returns its creation time. */
  ensureStream(owner: EventOwner): Promise<string>;
  /** Returns how far the stream's consumers are behind, and whether the stream is half full. */
  backlog(owner: EventOwner): Promise<Backlog>;
  /** Returns whether the full stream has dropped events that a consumer hasn't had. */
  hasGap(owner: EventOwner): Promise<boolean>;
  /** Returns the stream's size and its limit, or null if it has none. */
  size(owner: EventOwner): Promise<{ bytes: number; maxBytes: number | null }>;
  /** Returns whether the owner has created its stream and the consumer of this service. */
  hasConsumer(owner: EventOwner, service: string): Promise<boolean>;
  /** Raises the stream's replicas to the configured number. Throws if NATS can't keep that many. */
  checkCopies(owner: EventOwner): Promise<void>;
  /** Resolves when the stream has stored it. It ignores a message id of the last minutes. Sends the trace as a header. */
  send(event: { id: string; type: string; payload: string }, messageId?: string): Promise<void>;
  /** Returns the newest event of a type in the owner's stream, or null. */
  newest(owner: EventOwner, type: string): Promise<string | null>;
  /** Throws while disconnected. */
  check(): Promise<void>;
  close(): Promise<void>;
}

interface Backlog {
  isHalfFull: boolean;
  consumers: { service: string; pending: number; delivered: number }[];
}

const dayNs = 24 * 60 * 60 * 1e9;
/** A full stream is just below its limit after it has dropped an event. */
const nearlyFull = 0.5;
const consumerSettings = {
  ack_policy: AckPolicy.Explicit,
  deliver_policy: DeliverPolicy.All,
  ack_wait: 30 * 1e9,
  max_ack_pending: 256,
};

/** The client reads neither the login (a name alone is a token) nor TLS from a URL. */
function accessOf(address: string): Partial<ConnectionOptions> {
  const url = new URL(address);
  const [name, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  return {
    servers: url.host,
    ...(url.protocol === 'tls:' && { tls: {} }),
    ...(name !== '' && (pass === '' ? { token: name } : { user: name, pass })),
  };
}

/** `prefix` separates tests that share a server. */
export async function connectBus(options: {
  url: string;
  name: string;
  prefix?: string;
  /** Replicas of a stream. */
  replicas?: number;
  /** Size limit of a stream, which NATS reserves on its disk. A full stream drops its oldest events. */
  maxBytes?: number;
}): Promise<Bus> {
  const nats = await connect({
    ...accessOf(options.url),
    name: options.name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 100,
    waitOnFirstConnect: true,
    timeout: 5_000,
  });
  const js = jetstream(nats, { timeout: 5_000 });
  const jsm = await jetstreamManager(nats, { timeout: 5_000, checkAPI: false });
  const prefix = options.prefix ?? '';
  const streamOf = (owner: EventOwner) => `${prefix}${owner.toUpperCase()}`;
  const subjectOf = (type: string) =>
    `${prefix}${urgentTypes.has(type) ? 'urgent' : 'events'}.${type}`;
  const urgentSubjects = (owner: EventOwner) => `${prefix}urgent.${owner}.>`;
  const subjectsOf = (owner: EventOwner) => [
    `${prefix}events.${owner}.>`,
    ...(hasUrgent(owner) ? [urgentSubjects(owner)] : []),
  ];
  const replicas = options.replicas ?? 1;
  const copies = { num_replicas: replicas };
  const limits = { max_bytes: options.maxBytes ?? -1, discard: DiscardPolicy.Old };
  const refused = (owner: EventOwner) => (error: Error) => {
    throw replicas === 1 ? error : tooFewCopies(streamOf(owner), replicas, error.message);
  };
  const addStream = (owner: EventOwner) =>
    jsm.streams
      .add({
        name: streamOf(owner),
        subjects: subjectsOf(owner),
        max_age: 14 * dayNs,
        duplicate_window: 120 * 1e9,
        ...copies,
        ...limits,
      })
      .catch(refused(owner));
  const findOrAddStream = async (owner: EventOwner): Promise<StreamInfo> =>
    (await jsm.streams.info(streamOf(owner)).catch(() => null)) ?? addStream(owner);
  const complete = new Set<string>();
  return {
    js,
    jsm,
    nats,
    streamOf,
    subjectOf,
    hasConsumer: (owner, service) =>
      jsm.consumers.info(streamOf(owner), service).then(
        () => true,
        (error: unknown) => {
          if (isNotFound(error)) return false;
          throw error;
        },
      ),
    async ensureStream(owner) {
      const { created, config } = await findOrAddStream(owner);
      const stream = streamOf(owner);
      if (complete.has(`${stream} ${created}`)) return created;
      if (config.max_bytes !== limits.max_bytes) await jsm.streams.update(stream, limits);
      const subjects = subjectsOf(owner);
      if (subjects.some((subject) => !config.subjects.includes(subject)))
        await jsm.streams.update(stream, { subjects });
      for (const service of consumersOf(owner))
        await jsm.consumers.add(stream, { durable_name: service, ...consumerSettings });
      // Separate consumers, because a filter added to an existing one skips messages on NATS 2.9.
      if (hasUrgent(owner))
        for (const service of consumersOf(owner))
          await jsm.consumers.add(stream, {
            durable_name: `${service}-urgent`,
            filter_subject: urgentSubjects(owner),
            ...consumerSettings,
          });
      complete.add(`${stream} ${created}`);
      return created;
    },
    async backlog(owner) {
      const stream = streamOf(owner);
      const { config, state } = await jsm.streams.info(stream);
      const consumers = consumersOf(owner).map(async (service) => {
        const info = await jsm.consumers.info(stream, service);
        const pending = info.num_pending + info.num_ack_pending;
        return { service, pending, delivered: info.delivered.consumer_seq };
      });
      return {
        isHalfFull: config.max_bytes > 0 && state.bytes * 2 > config.max_bytes,
        consumers: await Promise.all(consumers),
      };
    },
    async hasGap(owner) {
      const stream = streamOf(owner);
      const { config, state } = await jsm.streams.info(stream);
      if (config.max_bytes < 0 || state.bytes < config.max_bytes * nearlyFull) return false;
      const infos = consumersOf(owner).map((service) => jsm.consumers.info(stream, service));
      return (await Promise.all(infos)).some(
        ({ delivered }) => delivered.stream_seq + 1 < state.first_seq,
      );
    },
    async size(owner) {
      const { config, state } = await jsm.streams.info(streamOf(owner));
      return { bytes: state.bytes, maxBytes: config.max_bytes < 0 ? null : config.max_bytes };
    },
    async checkCopies(owner) {
      const name = streamOf(owner);
      if (copiesOf(await findOrAddStream(owner)) >= replicas) return;
      const stored = copiesOf(await jsm.streams.update(name, copies).catch(refused(owner)));
      if (stored < replicas) throw tooFewCopies(name, replicas, `it keeps ${stored}`);
    },
    async send({ id, type, payload }, messageId = id) {
      const { traceparent } = traceHeaders();
      const natsHeaders = headers();
      if (traceparent !== undefined) natsHeaders.set('traceparent', traceparent);
      await js.publish(subjectOf(type), payload, { msgID: messageId, headers: natsHeaders });
    },
    async newest(owner, type) {
      const query = { last_by_subj: subjectOf(type) };
      return (await jsm.streams.getMessage(streamOf(owner), query))?.string() ?? null;
    },
    async check() {
      await nats.flush();
    },
    close: () => nats.drain(),
  };
}

const notFound: number[] = [JetStreamApiCodes.StreamNotFound, JetStreamApiCodes.ConsumerNotFound];
const isNotFound = (error: unknown): boolean =>
  error instanceof JetStreamApiError && notFound.includes(error.code);

/** A standalone server accepts any number and keeps one; a cluster missing a server still intends to. */
const copiesOf = ({ cluster, config }: StreamInfo): number =>
  (cluster?.replicas?.length ?? 0) === 0 ? 1 : config.num_replicas;

const tooFewCopies = (stream: string, wanted: number, why: string): Error =>
  new Error(
    `NATS does not keep the ${wanted} replicas of stream ${stream} set by NATS_REPLICAS: ${why}`,
  );
