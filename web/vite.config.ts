import react from '@vitejs/plugin-react';
import mantine from 'postcss-preset-mantine';
import { defineConfig, type Plugin } from 'vite';

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

export default defineConfig({
  base: '/',
  plugins: [react(), preloadFont()],
  css: { postcss: { plugins: [mantine()] } },
  build: {
    outDir: 'dist',
    // The content-security-policy knows no data: addresses but for the component library's own marks.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What every page needs and what seldom changes, in one file: smaller, and kept by browsers.
        codeSplitting: {
          groups: [{ name: 'core', test: /node_modules\/(react|react-dom|scheduler|@tanstack)\// }],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://localhost:8080' } },
});
