import type { Scope } from '../../protocol/scopes';
import type { ToolError } from './errors';

/** Who calls. Everything that outlives a call belongs to a client. */
export interface IClient {
  /** 128 random bits; compared, never shown. */
  readonly id: string;
  /** As the client names itself; shown to the person. */
  readonly name: string;
  /** A short number for people and models, unique in this tab. */
  readonly number: number;
}

/** One call's caller: what surfaces make, and all they pass on. */
export interface ICaller {
  readonly client: IClient;
  readonly surface: 'mcp' | 'webmcp';
  /** Whether it is a page that was given a port, not a client of the bridge. */
  readonly isHostPage?: boolean;
  readonly scope: Scope;
  /** Whether edits must carry the revision they were made from. */
  readonly demandsRevisions: boolean;
  /** The audit entry that was written before the call. */
  readonly auditId: number | null;
  /** Aborted when the agent, its transport or the page gives up waiting. */
  readonly signal?: AbortSignal;
  /** Takes what the code printed since the last report. */
  readonly progress?: (printed: string) => void;
}

/** What a tool answers: an object of R, before it is bounded. */
export type Data = Record<string, unknown>;

/** The call that something came of: whoever fetches it needs that call's scope. */
export interface IOrigin {
  readonly tool: string;
  readonly scope: Scope;
}

/** How a call ended. `call()` never throws. */
export type Outcome = (
  | { readonly kind: 'done'; readonly data: Data }
  | { readonly kind: 'pending'; readonly data: Data }
  | { readonly kind: 'refused'; readonly error: ToolError }
) & {
  /** None where no call was begun: then it tells what every client may read. */
  readonly origin?: IOrigin;
};

/** What a handler tells about its call while it runs. */
export interface ICallReport {
  /** Aborts never: a cancel ends only the waiting. Prompts end by `closed`. */
  printed(text: string): void;
  /** The code asks for input: ends the waiting with a pending result at once. */
  prompt(prompt: IPrompt): void;
  /** What the run waits for in the kernel's queue; null once it has begun. */
  queued(behind: string | null): void;
}

/** An open `input()` or debugger prompt. */
export interface IPrompt {
  readonly prompt: string;
  readonly password: boolean;
  /** Whether it still waits for an answer. */
  isOpen(): boolean;
  /** Answers as the person would; refused for a password. */
  answer(value: string): void;
}

/** Time, injected: the real one lives in a Worker, because hidden tabs are throttled. */
export interface IClock {
  /** Milliseconds, monotonic. */
  now(): number;
  /** Calls once after `ms` milliseconds; the result takes it back. */
  after(ms: number, callback: () => void): { dispose(): void };
}
