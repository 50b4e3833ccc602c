import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { TooBusy } from '../errors.ts';

/** In KiB, of argon2id with two passes and one lane. */
export const defaultMemory = 19_456;
const cost = { passes: 2, parallelism: 1 };
interface Cost {
  memory: number;
  passes: number;
  parallelism: number;
}
const tagBytes = 32;
/** Each takes 19 MiB and a core for about 30 ms; more in parallel would slow everything else. */
const maxConcurrentHashes = 2;
const maxQueue = 200;

export interface PasswordHashing {
  hash(password: string): Promise<string>;
  /** Takes equally long for an account without a password (`null`), and returns false. */
  verify(password: string, encoded: string | null): Promise<boolean>;
}

export async function createPasswordHashing(memory = defaultMemory): Promise<PasswordHashing> {
  const usedCost = { memory, ...cost };
  const run = createQueue(maxConcurrentHashes, maxQueue);
  const hash = async (password: string) => {
    const salt = randomBytes(16);
    return encode(salt, await run(() => derive(password, salt, usedCost)), usedCost);
  };
  const decoy = await hash(randomBytes(16).toString('hex'));
  return {
    hash,
    async verify(password, encoded) {
      const known = decode(encoded ?? decoy);
      const derived = await run(() => derive(password, known.salt, known.cost));
      return timingSafeEqual(derived, known.tag) && encoded !== null;
    },
  };
}

function derive(password: string, salt: Buffer, costs: Cost): Promise<Buffer> {
  // Unicode may compose the same letters in two ways; both are the same password.
  const message = Buffer.from(password.normalize('NFC'), 'utf8');
  return new Promise((resolve, reject) => {
    argon2('argon2id', { message, nonce: salt, tagLength: tagBytes, ...costs }, (error, derived) =>
      error ? reject(error) : resolve(derived),
    );
  });
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');

/** The standard text form contains its own cost, so the cost can be raised without losing passwords. */
function encode(salt: Buffer, tag: Buffer, costs: Cost): string {
  const { memory, passes, parallelism } = costs;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
}

const encodedForm =
  /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

function decode(encoded: string) {
  const [, memory, passes, parallelism, salt, tag] = encodedForm.exec(encoded) ?? [];
  if (salt === undefined || tag === undefined) throw new Error('not an argon2id hash');
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

/** Runs at most `limit` at a time, first come, first served; throws when too many are waiting. */
function createQueue(limit: number, maxLength: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= limit) {
      if (waiting.length >= maxLength) throw new TooBusy();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      // The slot is handed on directly, so a newcomer can't take it.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
