// Both apps for the gateway's image, built as `npm start` builds them.
import { ensureAppsBuilt } from '../local/builds.ts';

await ensureAppsBuilt((line) => console.log(line));
