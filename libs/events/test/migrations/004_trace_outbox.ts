export { traceOutbox as up } from '../../src/event-tables.ts';
