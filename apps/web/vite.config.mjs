import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));
const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const libraries = Object.entries(imports).map(([find, { types }]) => ({ find, replacement: join(root, types) }));

/** The web UI: from apps/web to dist/web, which the api serves. JSX needs no plugin: tsconfig.json says how it is compiled. */
export default defineConfig({
  root: here,
  plugins: [tailwindcss()],
  resolve: { alias: libraries },
  build: {
    outDir: join(root, 'dist', 'web'),
    emptyOutDir: true,
    target: ['chrome123', 'firefox121', 'safari17.5'],
    // Nothing inlined: the content security policy takes scripts, styles and images from files only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: 'manifest.json',
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'app', tags: ['$initial'] },
            // In chunks of their own, parts that pages share are dozens of requests for each page. Each has a few hundred bytes.
            { name: 'shared', test: /[\\/]apps[\\/]web[\\/]src[\\/]|[\\/]lucide-react[\\/]/, minShareCount: 3 },
          ],
        },
      },
      // "use client" says nothing here: everything is the client.
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});
