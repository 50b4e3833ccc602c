export { createHandledTypes as up } from '@daylift/events/event-tables';
