import type { Data } from '../calls/types';

/** What a read says of a document that JupyterLab may not hold as it is now. */
export function outOfDateWarning(outOfDate: string | undefined): Data {
  return outOfDate === undefined
    ? {}
    : { warning: `It may be out of date. JupyterLab says: ${outOfDate}` };
}
