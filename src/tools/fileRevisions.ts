import type { ITextFile } from '../jupyter/types';
import type { IToolContext } from './context';
import { verifyIn } from './identity';

function objectName(identity: string): string {
  return `file:${identity}`;
}

/** The revision of a file that holds a text (contract: Revisions). */
export function fileRevision(
  file: string,
  text: string,
  { contents, revisions }: IToolContext
): string {
  return revisions.issue(objectName(contents.identify(file).name), text);
}

/** @throws ToolError stale_revision, tampered_revision */
export function verifyFile(
  { path: file, text }: ITextFile,
  { contents, revisions }: IToolContext,
  token: string
): void {
  verifyIn(contents.identify(file), objectName, text, token, revisions);
}
