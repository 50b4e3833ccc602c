export { extendRelayState as up } from '../../src/event-tables.ts';
