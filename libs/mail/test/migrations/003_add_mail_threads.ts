export { addMailThreads as up } from '../../src/mail.ts';
