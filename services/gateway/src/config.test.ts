import { describe, expect, it } from 'vitest';
import { loadGatewayConfig } from './config.ts';

const environment = {
  PORT: '8080',
  IDENTITY_PRIVATE_KEY: '-----BEGIN PRIVATE KEY-----',
  ACCOUNTS_URL: 'http://127.0.0.1:1',
  BILLING_URL: 'http://127.0.0.1:2',
  CONTENT_URL: 'http://127.0.0.1:3',
  SCHEDULER_URL: 'http://127.0.0.1:4',
  SMS_GATEWAY_URL: 'http://127.0.0.1:5',
  JWT_PUBLIC_KEY: '-----BEGIN PUBLIC KEY-----',
  REDIS_URL: 'redis://127.0.0.1:6',
  PUBLIC_URL: 'https://daylift.example',
  WEB_DIST: '/web',
  ADMIN_WEB_DIST: '/admin',
};

describe('The configuration', () => {
  it('limits addresses by default', () => {
    expect(loadGatewayConfig(environment).RATE_LIMITS).toBe('on');
  });

  it('disables rate limits only with the sandbox', () => {
    expect(() => loadGatewayConfig({ ...environment, RATE_LIMITS: 'off' })).toThrow('SANDBOX_URL');
    const sandboxed = { ...environment, RATE_LIMITS: 'off', SANDBOX_URL: 'http://127.0.0.1:8090' };
    expect(loadGatewayConfig(sandboxed).RATE_LIMITS).toBe('off');
  });

  it('reports all missing variables at once, without values', () => {
    expect(() => loadGatewayConfig({ IDENTITY_PRIVATE_KEY: 'short-secret' })).toThrow(
      /JWT_PUBLIC_KEY|ACCOUNTS_URL/,
    );
    expect(() => loadGatewayConfig({ IDENTITY_PRIVATE_KEY: 'short-secret' })).not.toThrow(
      /short-secret/,
    );
  });
});
