// Bundles the bridge into dist/. The entry loads the rest as it needs it, so
// that a client's first questions are answered before sockets are thought of.
import { build } from 'esbuild';
import { chmod, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const here = path => fileURLToPath(new URL(path, import.meta.url));

await rm(here('dist'), { recursive: true, force: true });
await build({
  entryPoints: [here('src/cli.ts')],
  outdir: here('dist'),
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  banner: { js: '#!/usr/bin/env node' },
  logLevel: 'warning'
});
await chmod(here('dist/cli.js'), 0o755);
