export { extendRelayState as up } from '@daylift/events/event-tables';
