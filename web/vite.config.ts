import react from '@vitejs/plugin-react';
import mantine from 'postcss-preset-mantine';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

/** Preloads the font along with the page instead of after its styles, to avoid layout shift. */
const preloadFont = (): Plugin => ({
  name: 'preload-font',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((file) => /nunito-latin-wght-normal.*\.woff2$/.test(file))
        .map((file) => ({
          tag: 'link',
          injectTo: 'head',
          attrs: {
            rel: 'preload',
            href: `/${file}`,
            as: 'font',
            type: 'font/woff2',
            crossorigin: true,
          },
        })),
  },
});

/** Adds the blocking script from src/before-paint.ts to the head. */
const addBeforePaint = (): Plugin => ({
  name: 'before-paint',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) =>
      Object.values(bundle ?? {})
        .filter((file) => file.type === 'chunk' && file.name === 'before-paint')
        .map(({ fileName }) => ({
          tag: 'script',
          injectTo: 'head-prepend',
          attrs: { src: `/${fileName}`, 'data-before-paint': true },
        })),
  },
});

/** Build for the gateway, which prerenders the public pages with it: a single file that needs only Node. */
const forServer: UserConfig = {
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { noExternal: true },
  build: { copyPublicDir: false, assetsInlineLimit: 0 },
};

const formStyles =
  /(web\/src\/(layouts\/interactive|components\/(Form\w+|PhoneField|PlanPicker)\.module|features\/(signup|session|contact)\/\w+\.module)|libs\/ui\/src\/EmptyState\.module)\.css/;

const forBrowsers: UserConfig = {
  build: {
    outDir: 'dist',
    manifest: true,
    // The content security policy allows data: URLs only for Mantine's icons.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'index.html', 'before-paint': 'src/before-paint.ts' },
      output: {
        // Shared code that rarely changes is in one file, for compression and caching.
        codeSplitting: {
          groups: [
            { name: 'core', test: /node_modules\/(react|react-dom|scheduler)\// },
            // All form styles are in one file: fewer requests before the first paint.
            { name: 'forms', test: formStyles },
          ],
        },
      },
    },
  },
};

export default defineConfig(({ isSsrBuild }) => ({
  base: '/',
  plugins: [react(), preloadFont(), addBeforePaint()],
  css: { postcss: { plugins: [mantine()] } },
  server: { proxy: { '/api': 'http://localhost:8080' } },
  ...(isSsrBuild ? forServer : forBrowsers),
}));
