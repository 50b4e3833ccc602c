export { traceOutbox as up } from '@daylift/events/event-tables';
