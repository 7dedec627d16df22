// Bundles the bridge into dist/. The entry loads the rest as it needs it, so
// that a client's first questions are answered before sockets are thought of.
import { build } from 'esbuild';
import { chmod, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path => fileURLToPath(new URL(path, import.meta.url));
// A test builds into a place of its own.
const outdir = path.resolve(process.argv[2] ?? here('dist'));

await rm(outdir, { recursive: true, force: true });
await build({
  entryPoints: [here('src/cli.ts')],
  outdir,
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
await chmod(path.join(outdir, 'cli.js'), 0o755);
