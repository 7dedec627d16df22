import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { ToolError } from './errors';

/**
 * Revision tokens (contract: Revisions). A token is 16 characters: one that
 * marks the key, seven of a keyed digest of the content, eight of a MAC over
 * the object and that digest. It guards against mistakes; it grants nothing.
 */
export interface IRevisions {
  /**
   * The token of an object as it is now.
   *
   * `object` names it within the tab; `content` is whatever must not have
   * changed, as one string.
   */
  issue(object: string, content: string): string;
  /**
   * Returns when the token was issued for this object with this content.
   * `objects` are the names that the object has and had (it may have been
   * renamed), `others` those of what was at its place before: a token of
   * theirs is stale. Throws stale_revision or tampered_revision otherwise.
   */
  verify(
    token: string,
    objects: readonly string[],
    content: string,
    others?: readonly string[]
  ): void;
}

const KEY_NAME = 'jupyterlab-mcp-bridge:revision-key';
const KEY_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{16}$/;

/** The key of this tab, kept over reloads; made when there is none. */
export function tabKey(
  storage: Pick<Storage, 'getItem' | 'setItem'> | undefined,
  random: (bytes: Uint8Array) => void
): Uint8Array {
  const kept = parseKey(read(storage));
  if (kept) {
    return kept;
  }
  const key = new Uint8Array(KEY_BYTES);
  random(key);
  try {
    storage?.setItem(KEY_NAME, btoa(String.fromCharCode(...key)));
  } catch {
    // Storage is full or forbidden: the key lasts until the reload.
  }
  return key;
}

export class Revisions implements IRevisions {
  constructor(private readonly _key: Uint8Array) {
    this._mark = this._digest('mark').slice(0, 1);
  }

  issue(object: string, content: string): string {
    const digest = this._digest('content', content).slice(0, 7);
    return this._mark + digest + this._mac(object, digest);
  }

  verify(
    token: string,
    objects: readonly string[],
    content: string,
    others: readonly string[] = []
  ): void {
    if (!TOKEN.test(token)) {
      throw tampered();
    }
    if (token[0] !== this._mark) {
      throw stale(
        'The revision was given out before this JupyterLab tab was opened anew'
      );
    }
    const digest = token.slice(1, 8);
    const isOf = (object: string): boolean =>
      this._mac(object, digest) === token.slice(8);
    if (!objects.some(isOf)) {
      throw others.some(isOf)
        ? stale('Another document is at its path now than when it was read')
        : tampered();
    }
    if (this._digest('content', content).slice(0, 7) !== digest) {
      throw stale('It was changed after it was read');
    }
  }

  private _mac(object: string, digest: string): string {
    return this._digest('object', object, digest).slice(0, 8);
  }

  private _digest(...parts: string[]): string {
    return base64url(
      hmac(sha256, this._key, utf8ToBytes(JSON.stringify(parts)))
    );
  }

  private readonly _mark: string;
}

/** JSON with the keys of every object in order, so that equal values are equal strings. */
export function canonicalJSON(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(
          Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
        )
      : part
  );
}

function stale(why: string): ToolError {
  return new ToolError(
    'stale_revision',
    `${why}, so nothing was done. Read it again, and make the change from what it is now, with the new revision.`
  );
}

function tampered(): ToolError {
  return new ToolError(
    'tampered_revision',
    'That revision was not given out for this object. Pass the revision on exactly as the last read or edit of this very cell or file returned it.'
  );
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

function read(storage: Pick<Storage, 'getItem'> | undefined): string | null {
  try {
    return storage?.getItem(KEY_NAME) ?? null;
  } catch {
    return null;
  }
}

function parseKey(text: string | null): Uint8Array | null {
  try {
    const bytes = Uint8Array.from(atob(text ?? ''), c => c.charCodeAt(0));
    return bytes.length === KEY_BYTES ? bytes : null;
  } catch {
    return null;
  }
}
