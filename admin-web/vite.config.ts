import react from '@vitejs/plugin-react';
import mantine from 'postcss-preset-mantine';
import { defineConfig } from 'vite';

export default defineConfig({
  // The product's own pages have the root; everything of this app, assets too, is below /admin.
  base: '/admin/',
  plugins: [react()],
  css: { postcss: { plugins: [mantine()] } },
  build: { outDir: 'dist', assetsInlineLimit: 0 },
  server: { proxy: { '/api': 'http://localhost:8080' } },
});
