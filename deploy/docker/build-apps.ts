// Builds both apps for the gateway's image, like `npm start`.
import { ensureAppsBuilt } from '../local/builds.ts';

await ensureAppsBuilt((line) => console.log(line));
