export { extendParkedEvents as up } from '@daylift/events/event-tables';
