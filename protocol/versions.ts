import { PROTOCOL_VERSION } from './frames';

/** Whether two sides that speak these versions work together: neighbours do. */
export function worksWith(theirs: number, ours = PROTOCOL_VERSION): boolean {
  return Math.abs(theirs - ours) <= 1;
}

/** Which of two sides is to be updated, told by their versions. */
export function olderOf<T>(
  theirs: { name: T; version: number },
  ours: { name: T; version: number }
): T {
  return theirs.version < ours.version ? theirs.name : ours.name;
}
