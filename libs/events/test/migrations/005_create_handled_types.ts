export { createHandledTypes as up } from '../../src/event-tables.ts';
