export { createErasureTable as up } from '../../src/erase.ts';
