import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A runtime folder of its own, removed after the test. */
export class Folder {
  readonly path = mkdtempSync(join(tmpdir(), 'bridge-test-'));

  /** Writes what a Jupyter server would, and what the test wants instead. */
  server(
    info: Record<string, unknown> & { url: string },
    { pid = process.pid, mode = 0o600 } = {}
  ): string {
    const { pathname, hostname, port, protocol } = new URL(info.url);
    return this.file(
      `jpserver-${pid}.json`,
      JSON.stringify({
        base_url: pathname,
        hostname,
        password: false,
        pid,
        port: Number(port),
        root_dir: '/nowhere',
        secure: protocol === 'https:',
        sock: '',
        token: 'secret-token',
        version: '2.17.0',
        ...info
      }),
      mode
    );
  }

  file(name: string, text: string, mode = 0o600): string {
    const path = join(this.path, name);
    writeFileSync(path, text, { mode });
    chmodSync(path, mode);
    return path;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
