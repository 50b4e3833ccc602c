import react from '@vitejs/plugin-react';
import mantine from 'postcss-preset-mantine';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

/** Asks for the letters of the first screen along with the page, not after its styles, so that no text moves. */
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

/** What must run before the page shows stands in the head, and waits for nothing; see src/early.ts. */
const startEarly = (): Plugin => ({
  name: 'start-early',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) =>
      Object.values(bundle ?? {})
        .filter((file) => file.type === 'chunk' && file.name === 'early')
        .map(({ fileName }) => ({
          tag: 'script',
          injectTo: 'head-prepend',
          attrs: { src: `/${fileName}`, 'data-early': true },
        })),
  },
});

/** Run by the gateway, which draws the public pages with it: one file that stands on nothing but Node. */
const forServer: UserConfig = {
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { noExternal: true },
  build: { copyPublicDir: false, assetsInlineLimit: 0 },
};

const formStyles =
  /web\/src\/(layouts\/interactive|components\/(Form\w+|PlanPicker)\.module|features\/(signup|session|contact)\/\w+\.module)\.css/;

const forBrowsers: UserConfig = {
  build: {
    outDir: 'dist',
    manifest: true,
    // The content-security-policy knows no data: addresses but for the component library's own marks.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'index.html', early: 'src/early.ts' },
      output: {
        // What every page needs and what seldom changes, in one file: smaller, and kept by browsers.
        codeSplitting: {
          groups: [
            { name: 'core', test: /node_modules\/(react|react-dom|scheduler)\// },
            // One file for what forms look like: a browser opens few connections, and shows nothing before all styles are there.
            { name: 'forms', test: formStyles },
          ],
        },
      },
    },
  },
};

export default defineConfig(({ isSsrBuild }) => ({
  base: '/',
  plugins: [react(), preloadFont(), startEarly()],
  css: { postcss: { plugins: [mantine()] } },
  server: { proxy: { '/api': 'http://localhost:8080' } },
  ...(isSsrBuild ? forServer : forBrowsers),
}));
