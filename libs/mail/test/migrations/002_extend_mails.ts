export { extendMailTable as up } from '../../src/mail.ts';
