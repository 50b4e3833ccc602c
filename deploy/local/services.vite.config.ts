import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repoRoot } from './layout.ts';
import { entryOf, processNames } from './processes.ts';

/** Leaves sources and packages their own location, because they read files beside them. */
const ownLocations = {
  name: 'own-locations',
  enforce: 'pre',
  transform(code: string, id: string) {
    const [path = ''] = id.split('?');
    if (path.startsWith('\0')) return null;
    const locations: Record<string, string> = {
      'import.meta.url': pathToFileURL(path).href,
      'import.meta.dirname': dirname(path),
      __dirname: dirname(path),
      __filename: path,
    };
    return code.replace(
      /(?<![\w.$'"`])(import\.meta\.(?:url|dirname)|__dirname|__filename)\b/g,
      (name) => JSON.stringify(locations[name]),
    );
  },
};

/** Bundles each process of the services into one file, with what they share in others. */
export default {
  root: repoRoot,
  plugins: [ownLocations],
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: 'esnext',
    minify: false,
    rolldownOptions: {
      input: Object.fromEntries(processNames.map((name) => [name, entryOf(name)])),
      output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    },
  },
};
