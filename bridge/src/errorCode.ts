/** Node's code of an error (`ENOENT`, `ECONNREFUSED` …), '' where it has none. */
export function errorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error
    ? String(error.code)
    : '';
}
