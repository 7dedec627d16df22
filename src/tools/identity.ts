import type { IRevisions } from '../calls/revision';
import type { IIdentity } from '../jupyter/types';

/**
 * Returns when the revision is of a document's object as it is now.
 *
 * @param objectOf - what revisions call the object in a document of that name.
 * @throws ToolError stale_revision, tampered_revision
 */
export function verifyIn(
  { name, former, others }: IIdentity,
  objectOf: (name: string) => string,
  content: string,
  revision: string,
  revisions: IRevisions
): void {
  revisions.verify(
    revision,
    [name, ...former].map(objectOf),
    content,
    others.map(objectOf)
  );
}
