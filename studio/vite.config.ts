import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // The page is also served at / and at /graphql, so its assets need a fixed base path.
  base: '/studio/',
  publicDir: false,
  worker: { format: 'es' },
  build: {
    outDir: fileURLToPath(new URL('../dist/studio', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // The editor is one large package. Splitting it would only add requests.
    chunkSizeWarningLimit: 8_000,
    rollupOptions: {
      onwarn(warning, warn) {
        // Markers of server-side rendering, which have no effect in a bundle.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});
