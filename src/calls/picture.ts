import type { Data } from './types';

/** A picture that goes beside a result, not in it. */
export interface IPicture {
  /** Base64 without line breaks. */
  readonly data: string;
  /** PNG, JPEG, GIF or WebP: what MCP's clients take. */
  readonly mimeType: string;
}

/**
 * Where data carries its picture: no name, so that it is neither measured nor
 * cut nor written as text, and stays with the data wherever that is handed on.
 */
const PICTURE = Symbol('picture');

/** The data, with a picture for the surfaces that can show one. */
export function withPicture(data: Data, picture: IPicture): Data {
  return Object.assign({ ...data }, { [PICTURE]: picture });
}

/** The picture that goes with the data, if one does. */
export function pictureOf(data: Data): IPicture | undefined {
  const picture: unknown = Reflect.get(data, PICTURE);
  return isPicture(picture) ? picture : undefined;
}

function isPicture(value: unknown): value is IPicture {
  return (
    typeof value === 'object' &&
    value !== null &&
    'data' in value &&
    'mimeType' in value
  );
}
