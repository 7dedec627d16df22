import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import WebSocket from 'ws';
import { pause, ROOT, startProgram, type IProgram } from './processes';

interface IPageIds {
  readonly targetId: string;
  readonly sessionId: string;
}

/**
 * A browser as a person has it: playwright keeps every page visible and
 * focused, so a hidden one can only be had without it.
 */
export class PlainBrowser {
  private constructor(
    private readonly _program: IProgram,
    private readonly _socket: WebSocket,
    private readonly _profile: string
  ) {
    _socket.on('message', data => {
      const message: { id?: number; result?: unknown } = JSON.parse(
        String(data)
      );
      this._answers.get(message.id ?? -1)?.(message.result ?? {});
      this._answers.delete(message.id ?? -1);
    });
  }

  static async start(): Promise<PlainBrowser> {
    const profile = await mkdtemp(join(tmpdir(), 'mcp-bridge-browser-'));
    const program = startProgram(
      process.env.CHROMIUM ?? '/usr/bin/chromium',
      [
        '--headless=new',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--no-first-run',
        '--remote-debugging-port=0',
        `--user-data-dir=${profile}`,
        'about:blank'
      ],
      { cwd: ROOT, env: process.env }
    );
    const [, url = ''] = await program.until(/DevTools listening on (ws:\S+)/);
    const socket = new WebSocket(url);
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return new PlainBrowser(program, socket, profile);
  }

  /** Opens a page in front; the one that was in front is hidden by it. */
  async open(url: string): Promise<PlainPage> {
    const { targetId } = await this.send<IPageIds>('Target.createTarget', {
      url
    });
    const { sessionId } = await this.send<IPageIds>('Target.attachToTarget', {
      targetId,
      flatten: true
    });
    await this.send('Target.activateTarget', { targetId });
    return new PlainPage(this, sessionId);
  }

  async send<T>(
    method: string,
    params: object,
    sessionId?: string
  ): Promise<T> {
    const id = ++this._lastId;
    const answer = new Promise<unknown>(resolve =>
      this._answers.set(id, resolve)
    );
    this._socket.send(JSON.stringify({ id, method, params, sessionId }));
    return (await answer) as T;
  }

  async close(): Promise<void> {
    this._socket.close();
    await this._program.end();
    await rm(this._profile, { recursive: true, force: true, maxRetries: 5 });
  }

  private _lastId = 0;
  private readonly _answers = new Map<number, (result: unknown) => void>();
}

/** A page of such a browser. */
export class PlainPage {
  constructor(
    private readonly _browser: PlainBrowser,
    private readonly _sessionId: string
  ) {}

  /** The value of an expression, awaited if it is a promise. */
  async evaluate(expression: string): Promise<unknown> {
    const { result } = await this._browser.send<{
      result?: { value?: unknown };
    }>(
      'Runtime.evaluate',
      { expression, awaitPromise: true, returnByValue: true },
      this._sessionId
    );
    return result?.value;
  }

  async until(expression: string, limitMs = 30_000): Promise<void> {
    const end = Date.now() + limitMs;
    while (!(await this.evaluate(expression))) {
      if (Date.now() > end) {
        throw new Error(`This did not become true: ${expression}`);
      }
      await pause(100);
    }
  }
}
