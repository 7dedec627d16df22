/**
 * Makes a change one step of its own in the undo history of a shared cell or
 * notebook. Yjs merges changes within half a second, the person's included,
 * unless it is told to stop before and after.
 */
export function oneStep(shared: object, change: () => void): void {
  stopCapturing(shared);
  change();
  stopCapturing(shared);
}

function stopCapturing(shared: object): void {
  // The interfaces of shared models leave the manager out.
  const manager: unknown =
    'undoManager' in shared ? shared.undoManager : undefined;
  if (
    typeof manager === 'object' &&
    manager !== null &&
    'stopCapturing' in manager &&
    typeof manager.stopCapturing === 'function'
  ) {
    manager.stopCapturing();
  }
}
