import react from '@vitejs/plugin-react';
import mantine from 'postcss-preset-mantine';
import { defineConfig } from 'vite';

export default defineConfig({
  // The gateway serves this app below /admin.
  base: '/admin/',
  plugins: [react()],
  css: { postcss: { plugins: [mantine()] } },
  build: { outDir: 'dist', assetsInlineLimit: 0 },
  server: { proxy: { '/api': 'http://localhost:8080' } },
});
