import react from '@vitejs/plugin-react';
import mantine from 'postcss-preset-mantine';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/',
  plugins: [react()],
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
