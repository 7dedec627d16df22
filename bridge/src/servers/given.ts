import { NOT_OWN, readOwnFile } from './ownFile';
import { baseAddress, type IDiscovery, type IServer } from './server';

const MAX_TOKEN_BYTES = 4096;

/** A sentence for the person who started the bridge. */
export class GivenError extends Error {}

/** Checks the address of `--server`. @throws GivenError; it never quotes the address. */
export function parseServer(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new GivenError(
      '--server needs an address such as http://localhost:8888/'
    );
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new GivenError('--server needs an http or https address');
  }
  if (
    /token=/i.test(url.search + url.hash) ||
    url.username !== '' ||
    url.password !== ''
  ) {
    throw new GivenError(
      'The address given to --server holds a token or password, which every process of this machine could read. Give the address alone, and the token in JUPYTER_TOKEN or by --token-file.'
    );
  }
  return url;
}

/** Reads a token file. @throws GivenError when others could read it, or it is no token. */
export async function readTokenFile(path: string): Promise<string> {
  const own = await readOwnFile(path, MAX_TOKEN_BYTES);
  if ('problem' in own) {
    throw new GivenError(`The token file ${path} ${NOT_OWN[own.problem]}.`);
  }
  const token = own.text.trim();
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new GivenError(
      `The token file ${path} must hold the token and nothing else.`
    );
  }
  return token;
}

/**
 * The one server that the person named. Its token is asked for at each dial,
 * so that a token file may be replaced while the bridge runs.
 */
export function givenServer(
  url: URL,
  token: () => Promise<string | null>
): IDiscovery {
  const base = baseAddress(url);
  // People paste what the browser shows: the page of a frontend.
  const server = baseAddress(
    url,
    url.pathname.replace(/\/(lab|tree|notebooks|doc)(\/.*)?$/, '/')
  );
  const found: IServer = {
    key: 'given',
    stamp: base,
    addresses: [...new Set([server, base])],
    shown: server,
    certificateName: null,
    root: null,
    token
  };
  return {
    place: server,
    scan: () => Promise.resolve({ servers: [found], passedOver: [] }),
    watch: () => ({ dispose: () => undefined })
  };
}
