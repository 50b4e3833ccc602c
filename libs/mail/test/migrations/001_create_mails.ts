export { createMailTable as up } from '../../src/mail.ts';
