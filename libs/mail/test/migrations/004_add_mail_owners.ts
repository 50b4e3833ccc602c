export { addMailOwners as up } from '../../src/mail.ts';
