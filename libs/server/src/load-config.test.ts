import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from 'typebox';
import { afterEach, expect, test } from 'vitest';
import { callerConfig, loadConfig, processConfig } from './load-config.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'daylift-config-'));
  folders.push(folder);
  const path = join(folder, 'value');
  writeFileSync(path, text);
  return path;
}

const failure = (load: () => unknown): string => {
  try {
    load();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it was taken');
};

test('values are converted, defaults applied, and the result is frozen', () => {
  const config = loadConfig(
    { ...processConfig, RATE: Type.Integer({ default: 100 }), ON: Type.Boolean() },
    { PORT: '8080', ON: 'true', UNRELATED: 'x' },
  );
  expect(config).toEqual({
    PORT: 8080,
    OPS_PORT: 9090,
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    OTEL_TRACES_SAMPLER_ARG: 1,
    RATE: 100,
    ON: true,
  });
  expect(Object.isFrozen(config)).toBe(true);
});

test('one error names every missing or invalid variable, without values', () => {
  const message = failure(() =>
    loadConfig(
      { ...processConfig, ...callerConfig, API_KEY: Type.String() },
      { PORT: 'eighty', LOG_LEVEL: 'loud', IDENTITY_PRIVATE_KEY: 'too-short' },
    ),
  );
  for (const name of ['PORT', 'LOG_LEVEL', 'IDENTITY_PRIVATE_KEY', 'API_KEY'])
    expect(message).toContain(name);
  for (const value of ['eighty', 'loud', 'too-short']) expect(message).not.toContain(value);
  expect(message).toContain('LOG_LEVEL: must be one of trace, debug, info, warn, error, silent');
});

test('an empty variable counts as missing', () => {
  expect(failure(() => loadConfig({ API_KEY: Type.String() }, { API_KEY: '' }))).toContain(
    'API_KEY',
  );
  expect(loadConfig({ NOTE: Type.Optional(Type.String()) }, { NOTE: '' })).toEqual({});
});

test('NAME_FILE gives the value from a file, without its last line break', () => {
  const path = fileWith('from the file\n');
  expect(loadConfig({ API_KEY: Type.String() }, { API_KEY_FILE: path })).toEqual({
    API_KEY: 'from the file',
  });
});

test('a live key is rejected with a sandbox, also from a file', () => {
  const settings = { ...processConfig, STRIPE_API_KEY: Type.String() };
  const SANDBOX_URL = 'http://127.0.0.1:8090';
  const live = `sk_${'live'}_0123456789`;
  const message = failure(() =>
    loadConfig(settings, { PORT: '0', SANDBOX_URL, STRIPE_API_KEY: live }),
  );
  expect(message).toContain('STRIPE_API_KEY');
  expect(message).not.toContain(live);
  failure(() =>
    loadConfig(settings, { PORT: '0', SANDBOX_URL, STRIPE_API_KEY_FILE: fileWith(live) }),
  );
  expect(loadConfig(settings, { PORT: '0', STRIPE_API_KEY: live }).STRIPE_API_KEY).toBe(live);
});
