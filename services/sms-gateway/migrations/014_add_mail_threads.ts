export { addMailThreads as up } from '@daylift/mail/mail';
