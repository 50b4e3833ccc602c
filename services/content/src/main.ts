import { contentApi } from '@daylift/contracts/content.api';
import { runService } from '@daylift/events/run-service';
import { buildApp } from './app.ts';
import { loadContentConfig } from './config.ts';
import { consumers } from './consumers.ts';
import { createDeps } from './create-deps.ts';
import { publishLibrary } from './templates/publish-library.ts';

await runService({
  api: contentApi,
  owner: 'content',
  config: loadContentConfig(),
  createDeps,
  prepare: ({ db, clock }) => publishLibrary(db, clock),
  consumers,
  buildApp,
});
