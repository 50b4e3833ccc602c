export { extendParkedEvents as up } from '../../src/event-tables.ts';
