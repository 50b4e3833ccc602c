export { extendMailTable as up } from '@daylift/mail/mail';
