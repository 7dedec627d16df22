import WebSocket from 'ws';
import type { Lab } from '../test/e2e/support/lab';

/** A bare client of the relay that measures there and back to one tab. */
export class Echo {
  private constructor(
    private readonly _socket: WebSocket,
    private readonly _peer: string
  ) {}

  private static async _open(
    lab: Lab
  ): Promise<{ tabs: string[]; socket: WebSocket }> {
    const url = `${lab.url.replace('http', 'ws')}mcp-bridge/client`;
    const socket = new WebSocket(url, {
      headers: { Authorization: `token ${lab.token}` },
      perMessageDeflate: false
    });
    const first = await new Promise<string>((resolve, reject) => {
      socket.once('message', data => resolve(String(data)));
      socket.once('error', reject);
    });
    const { tabs }: { tabs: string[] } = JSON.parse(
      first.slice(first.indexOf('\n') + 1)
    );
    return { tabs, socket };
  }

  /** The one among the tabs that sends back. */
  static async find(lab: Lab): Promise<Echo> {
    const { tabs, socket } = await Echo._open(lab);
    for (const peer of tabs) {
      const echo = new Echo(socket, peer);
      if (await echo._answers()) {
        return echo;
      }
    }
    throw new Error('no tab sends back');
  }

  private async _answers(): Promise<boolean> {
    return Promise.race([
      this.there(200).then(() => true),
      new Promise<boolean>(resolve => setTimeout(() => resolve(false), 1000))
    ]);
  }

  /** Milliseconds there and back of a message of so many bytes. */
  async there(bytes: number): Promise<number> {
    const body = `{"type":"echo","fill":"${'x'.repeat(Math.max(0, bytes - 26))}"}`;
    const back = new Promise<void>(resolve => {
      const listen = (data: WebSocket.RawData) => {
        if (String(data).endsWith(body)) {
          this._socket.off('message', listen);
          resolve();
        }
      };
      this._socket.on('message', listen);
    });
    const began = performance.now();
    this._socket.send(`${this._peer}\n${body}`);
    await back;
    return performance.now() - began;
  }

  close(): void {
    this._socket.close();
  }
}
