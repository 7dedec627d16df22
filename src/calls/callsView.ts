import type { IAnswered } from '../dialogs/types';
import type { Data, ICaller, IClient, Outcome } from './types';

/** A call as `get_context` lists it for its own client. */
export interface IPendingInfo {
  readonly pendingId: string;
  readonly tool: string;
  readonly command: string;
  /** Whole seconds since its command started, or that it took. */
  readonly seconds: number;
  /** It has ended, and its result waits to be fetched. */
  readonly settled?: true;
}

/** A call that is at work, whoever made it. */
export interface IRunningCall {
  readonly client: IClient;
  readonly tool: string;
  /** As the tool's schema gave them; not to be changed. */
  readonly args: Readonly<Data>;
  /** Whole seconds since its command started. */
  readonly seconds: number;
  /** Only of the asking client's own calls, once it has one. */
  readonly pendingId?: string;
}

/** The calls of this tab, as tools see them. */
export interface ICallsView {
  /** Calls of a client whose result it has not got, oldest first. */
  list(client: IClient): IPendingInfo[];
  /** Calls of all clients that have not ended, oldest first. */
  running(client: IClient): IRunningCall[];
  /**
   * Waits again, at most `seconds` and never longer than the time-out.
   * @throws ToolError not_found, permission_denied
   */
  wait(caller: ICaller, pendingId: string, seconds?: number): Promise<Outcome>;
  /**
   * Answers the open prompt of a call, then waits for the call.
   * @throws ToolError not_found, operation_refused, permission_denied
   */
  answerInput(
    caller: ICaller,
    pendingId: string,
    value: string
  ): Promise<Outcome>;
  /**
   * Clicks, then waits for the call the dialog belongs to where its client
   * has not got its result. What `click` throws is thrown.
   */
  answerDialog(
    caller: ICaller,
    dialogId: string,
    click: () => IAnswered
  ): Promise<Outcome>;
}
