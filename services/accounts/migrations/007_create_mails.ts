export { createMailTable as up } from '@daylift/mail/mail';
