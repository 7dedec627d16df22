import { cleanText, type Redact } from '../results/index';
import type { IDialogInfo, IDialogs } from '../dialogs/types';
import type { TrackedCall } from './tracked';
import type { Data } from './types';
import { quote } from './words';

/** Why a wait for a call ended. */
export type WaitEnd = 'settled' | 'cancelled' | 'dialog' | 'prompt' | 'time';

export interface IPendingParts {
  readonly dialogs: IDialogs;
  /** Replaces the secrets in what was printed. */
  readonly redact: Redact;
  /** The wait followed the closing of an error dialog of the call. */
  readonly closedError: boolean;
}

/**
 * A pending result: what the call waits for and what to do about it. What it
 * reports counts as reported, unless the waiting was cancelled: then nobody
 * reads it.
 */
export function pendingData(
  call: TrackedCall,
  end: WaitEnd,
  { dialogs, redact, closedError }: IPendingParts
): Data {
  const dialog =
    call.blockingDialogs(dialogs).at(0) ?? call.openDialogs(dialogs).at(0);
  const prompt = call.prompt;
  const data: Data = {
    status: 'pending',
    pendingId: call.pendingId,
    tool: call.facts.tool,
    message: dialog
      ? dialogMessage(dialog, dialogs)
      : prompt
        ? promptMessage(prompt.password)
        : timeMessage(call, closedError)
  };
  if (dialog) {
    data.dialog = dialog;
  }
  if (prompt) {
    data.input = {
      prompt: cleanText(prompt.prompt),
      password: prompt.password
    };
  }
  if (call.queuedBehind !== null) {
    data.queuedBehind = call.queuedBehind;
  }
  if (end === 'cancelled') {
    return data;
  }
  if (dialog) {
    call.dialogReported(dialog);
  }
  call.promptReported();
  const printed = call.printed.take(redact);
  if (printed !== '') {
    data.printed = printed;
  }
  return data;
}

function timeMessage(call: TrackedCall, closedError: boolean): string {
  if (closedError) {
    return 'The error dialog is closed, but its call has not ended within a second. A call that failed often never ends: it can then stay in "pending" of get_context. Go on without it, or look for its result with wait_for_result.';
  }
  if (call.queuedBehind !== null) {
    return `The call has been waiting for ${unit(call.seconds, 'second')} for its turn: the kernel is busy with the work of another ("queuedBehind"), which an interrupt of the kernel would stop. wait_for_result with this pendingId gets its result.`;
  }
  return `The call has been running for ${unit(call.seconds, 'second')} and goes on in the background. wait_for_result with this pendingId gets its result. To stop code that runs, interrupt the kernel.`;
}

function dialogMessage(dialog: IDialogInfo, dialogs: IDialogs): string {
  const isError = dialogs.isError(dialog.id);
  if (!dialog.shown) {
    const shown = dialogs.list().find(each => each.shown);
    const before = shown ? `${shown.id}, ${quote(shown.title)}` : 'another one';
    const opened = isError
      ? 'An error dialog opened during this call, so the call has probably failed. It'
      : 'A dialog opened during this call and';
    return `${opened} waits in the queue behind ${before}, which must be closed first: answer that one with answer_dialog and its dialogId if it comes from one of your calls, else ask the user. Then call wait_for_result.`;
  }
  if (isError) {
    return 'An error dialog opened during this call, so the call has probably failed. Read the dialog, then close it with answer_dialog, or ask the user if it does not come from this call.';
  }
  return 'A dialog opened during this call, which probably waits for the answer. Click one of its buttons with answer_dialog, or ask the user if it does not come from this call; then the call goes on.';
}

function promptMessage(password: boolean): string {
  return password
    ? 'The code asks for a password. Only the person types that, in the tab: ask them, then call wait_for_result.'
    : 'The code asks for input. Answer with answer_input, or ask the user to answer in the tab and call wait_for_result.';
}

function unit(n: number, name: string): string {
  return `${n} ${name}${n === 1 ? '' : 's'}`;
}
