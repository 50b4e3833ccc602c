export { createEventTables as up } from '@daylift/events/event-tables';
