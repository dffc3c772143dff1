import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // The page is also served at / and at /graphql, so its assets need an address of their own.
  base: '/studio/',
  publicDir: false,
  worker: { format: 'es' },
  build: {
    outDir: fileURLToPath(new URL('../dist/studio', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The editor is one large package; splitting it would only add requests.
    chunkSizeWarningLimit: 8_000,
    rollupOptions: {
      onwarn(warning, warn) {
        // Marks of server-side rendering, which mean nothing in a bundle.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});
