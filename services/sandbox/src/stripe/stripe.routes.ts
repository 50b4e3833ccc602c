import type { FastifyInstance } from 'fastify';
import type { SandboxDeps } from '../deps.ts';

/** Place of the Stripe emulator's routes. */
export async function registerStripe(_app: FastifyInstance, _deps: SandboxDeps): Promise<void> {}
