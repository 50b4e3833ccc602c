import { type Browser, chromium } from 'playwright-core';
import { findProgram, chromium as program } from '../../local/system-packages.ts';

/** Launches the system's Chromium without background network traffic, and with the flags that root needs. */
export function launchBrowser(args: string[] = []): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? findProgram(program);
  if (executablePath === null)
    throw new Error(`Chromium is not installed (Debian: apt-get install ${program.debian}).`);
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...args,
    ],
  });
}
