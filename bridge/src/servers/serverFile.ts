import { baseAddress, type IServer } from './server';

/** Why a server's file cannot be used. The text goes to people and agents. */
export class Unusable extends Error {}

/**
 * What a server wrote about itself into the runtime folder.
 *
 * @param name - the file's name, `jpserver-<pid>.json`.
 * @throws Unusable, with the reason.
 */
export function readServerFile(
  name: string,
  text: string
): { server: IServer; pid: number } {
  const info = parse(text);
  const { pid, url, token, base_url: path, hostname, port } = info;
  if (typeof pid !== 'number' || pid < 1 || name !== `jpserver-${pid}.json`) {
    throw new Unusable('it does not hold the process id that its name says');
  }
  if (typeof url !== 'string' || typeof token !== 'string') {
    throw new Unusable('it holds no address or no token');
  }
  if (info.sock || url.startsWith('http+unix')) {
    throw new Unusable(
      'its server listens on a unix socket, which is not supported: start JupyterLab with a port'
    );
  }
  if (token === '' && info.password === true) {
    throw new Unusable(
      'its server takes a password only, which no program can use: start JupyterLab with JUPYTER_TOKEN set as well'
    );
  }
  const named = toUrl(url);
  if (named === null) {
    throw new Unusable('its address is no http or https address');
  }
  const base = baseAddress(named, typeof path === 'string' ? path : undefined);
  return {
    pid,
    server: {
      key: name,
      stamp: text,
      addresses: addresses(base, hostname, port),
      shown: base,
      certificateName: named.protocol === 'https:' ? named.hostname : null,
      root: typeof info.root_dir === 'string' ? info.root_dir : null,
      token: () => Promise.resolve(token === '' ? null : token)
    }
  };
}

/**
 * The addresses of a server, loopback first. Loopback is tried only where the
 * server listens on it: else another person's server may sit on that port.
 */
function addresses(base: string, hostname: unknown, port: unknown): string[] {
  const loopback: string[] = [];
  if (hostname === '' || hostname === '0.0.0.0' || hostname === '127.0.0.1') {
    loopback.push('127.0.0.1');
  } else if (hostname === 'localhost' || hostname === '*') {
    loopback.push('127.0.0.1', '[::1]');
  } else if (hostname === '::' || hostname === '::1') {
    loopback.push('[::1]', '127.0.0.1');
  }
  const tried = loopback.map(host => {
    const url = new URL(base);
    url.hostname = host;
    if (typeof port === 'number') {
      url.port = String(port);
    }
    return url.href;
  });
  return [...new Set([...tried, base])];
}

function parse(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Unusable('it is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Unusable('it is not a JSON object');
  }
  return { ...value };
}

function toUrl(text: string): URL | null {
  try {
    const url = new URL(text);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : null;
  } catch {
    return null;
  }
}
