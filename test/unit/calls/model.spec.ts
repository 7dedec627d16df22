import * as fc from 'fast-check';
import type { Data } from '../../../src/calls/types';
import { Model, type IModelCall, type IModelWait } from './model';
import {
  Answer,
  FakePrompt,
  type PageDialog,
  Rig,
  type Running,
  settle
} from './rig';
import { PROPERTY, timeFor } from '../../support/property';

/** The registry and the page, and what belongs to the model's things. */
class Real {
  readonly rig = new Rig();
  readonly running = new Map<IModelCall, Running>();
  readonly prompts = new Map<IModelCall, FakePrompt>();
  /** Waits that have not answered yet. */
  open: IRealWait[] = [];
  dialogs: PageDialog[] = [];
  results = 0;

  caller(client: string) {
    const abort = new AbortController();
    return { abort, caller: this.rig.caller(client, { signal: abort.signal }) };
  }
}

interface IRealWait {
  readonly wait: IModelWait;
  readonly answer: Answer;
  readonly abort: AbortController;
}

/** What the model compares of an answer. */
function digest(data: Data): Data {
  const { result, pendingId, dialog, input, printed, answered } = data;
  const told: Data =
    data.status === 'pending' ? { pendingId } : { result: result };
  if (dialog) {
    const { id, shown } = dialog as { id: string; shown: boolean };
    told.dialog = [id, shown];
  }
  if (input) {
    told.password = (input as { password: boolean }).password;
  }
  if (printed !== undefined) {
    told.printed = printed;
  }
  if (answered) {
    told.answered = (answered as { dialogId: string }).dialogId;
  }
  return told;
}

async function agree(model: Model, real: Real): Promise<void> {
  await settle();
  await settle();
  for (const { wait, answer } of real.open) {
    const told = answer.isThere ? digest(answer.data) : undefined;
    expect(told).toEqual(wait.answer);
  }
  real.open = real.open.filter(({ answer }) => !answer.isThere);
  const { pending, book } = real.rig;
  for (const client of CLIENTS) {
    const { client: who } = real.rig.caller(client);
    expect(
      pending
        .list(who)
        .map(({ pendingId, settled }) => [pendingId, settled ?? false])
    ).toEqual(
      model.listed(client).map(({ id, result }) => [id, result !== null])
    );
  }
  expect(pending.running(real.rig.agent.client).length).toBe(
    model.calls.filter(({ result }) => result === null).length
  );
  expect(book.list().map(({ id, shown }) => [id, shown])).toEqual(
    model.dialogs.map(({ id }, index) => [id, index === 0])
  );
}

const CLIENTS = ['a', 'b'];

/** One step: what the model does, what is done in truth; then they agree. */
abstract class Step implements fc.AsyncCommand<Model, Real> {
  check(_: Readonly<Model>): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    await this.act(model, real);
    await agree(model, real);
  }

  abstract act(model: Model, real: Real): Promise<void>;
  abstract toString(): string;
}

class Start extends Step {
  constructor(private readonly _client: string) {
    super();
  }

  async act(model: Model, real: Real): Promise<void> {
    const { abort, caller } = real.caller(this._client);
    const { call, answer } = await real.rig.start(caller);
    const wait = model.start(this._client);
    real.running.set(wait.call, call);
    real.open.push({ wait, answer, abort });
  }

  toString(): string {
    return `start(${this._client})`;
  }
}

/** Steps that are about one of the calls, if there are any. */
abstract class OfCall extends Step {
  constructor(protected readonly _pick: number) {
    super();
  }

  override check(model: Readonly<Model>): boolean {
    return this.candidates(model).length > 0;
  }

  candidates(model: Readonly<Model>): IModelCall[] {
    return model.calls.filter(({ result }) => result === null);
  }

  call(model: Model): IModelCall {
    const candidates = this.candidates(model);
    return candidates[this._pick % candidates.length];
  }

  toString(): string {
    return `${this.constructor.name}(${this._pick})`;
  }
}

class Settle extends OfCall {
  async act(model: Model, real: Real): Promise<void> {
    const call = this.call(model);
    const result = ++real.results;
    model.settle(call, result);
    await real.running.get(call)?.done({ success: true, result });
  }
}

class Print extends OfCall {
  async act(model: Model, real: Real): Promise<void> {
    const call = this.call(model);
    const text = `${this._pick}-`.repeat(1 + (this._pick % 300));
    call.printed += text;
    real.running.get(call)?.report.printed(text);
  }
}

class Prompt extends OfCall {
  async act(model: Model, real: Real): Promise<void> {
    const call = this.call(model);
    const password = this._pick % 3 === 0;
    const prompt = new FakePrompt('?', password);
    call.prompt = { password, reported: false };
    model.check();
    real.prompts.set(call, prompt);
    real.running.get(call)?.report.prompt(prompt);
  }
}

/** The person answers in the tab. */
class PersonAnswers extends OfCall {
  override candidates(model: Readonly<Model>): IModelCall[] {
    return super.candidates(model).filter(({ prompt }) => prompt !== null);
  }

  async act(model: Model, real: Real): Promise<void> {
    const call = this.call(model);
    call.prompt = null;
    const prompt = real.prompts.get(call);
    if (prompt) {
      prompt.open = false;
    }
  }
}

class Wait extends OfCall {
  constructor(
    pick: number,
    private readonly _client: string,
    private readonly _seconds: number
  ) {
    super(pick);
  }

  override candidates(model: Readonly<Model>): IModelCall[] {
    return model.calls.filter(({ id }) => id !== null);
  }

  async act(model: Model, real: Real): Promise<void> {
    const { id } = this.call(model);
    const { abort, caller } = real.caller(this._client);
    const answer = real.rig.wait(String(id), this._seconds, caller);
    const known = model.find(this._client, String(id));
    if (known) {
      const wait = model.wait(known, this._seconds * 1000);
      real.open.push({ wait, answer, abort });
      await real.rig.clock.advance(0);
    } else {
      await settle();
      expect(answer.error).toMatchObject({ code: 'not_found' });
    }
  }

  override toString(): string {
    return `wait(${this._pick}, ${this._client}, ${this._seconds})`;
  }
}

class AnswerInput extends OfCall {
  constructor(
    pick: number,
    private readonly _client: string
  ) {
    super(pick);
  }

  override candidates(model: Readonly<Model>): IModelCall[] {
    return model.calls.filter(({ id }) => id !== null);
  }

  async act(model: Model, real: Real): Promise<void> {
    const { id } = this.call(model);
    const { abort, caller } = real.caller(this._client);
    const { pending } = real.rig;
    const answer = new Answer(pending.answerInput(caller, String(id), 'x'));
    const known = model.find(this._client, String(id));
    if (known?.prompt && !known.prompt.password) {
      known.prompt = null;
      const wait = model.wait(known, 20_000);
      real.open.push({ wait, answer, abort });
      expect(real.prompts.get(known)?.answers).toEqual(['x']);
    } else {
      await settle();
      expect(answer.error).toMatchObject({
        code: known ? 'operation_refused' : 'not_found'
      });
    }
  }
}

class Cancel extends Step {
  constructor(private readonly _pick: number) {
    super();
  }

  override check(model: Readonly<Model>): boolean {
    return model.waits.some(({ answer }) => answer === undefined);
  }

  async act(model: Model, real: Real): Promise<void> {
    const open = real.open.filter(({ wait }) => wait.answer === undefined);
    const { wait, abort } = open[this._pick % open.length];
    wait.cancelled = true;
    model.check();
    abort.abort();
  }

  toString(): string {
    return `cancel(${this._pick})`;
  }
}

class Open extends Step {
  constructor(private readonly _isError: boolean) {
    super();
  }

  async act(model: Model, real: Real): Promise<void> {
    model.open(this._isError);
    real.dialogs.push(
      await real.rig.page.open('T', this._isError ? ['Close'] : ['No', 'Yes'])
    );
  }

  toString(): string {
    return this._isError ? 'openError' : 'open';
  }
}

abstract class OfDialog extends Step {
  constructor(protected readonly _pick: number) {
    super();
  }

  override check(model: Readonly<Model>): boolean {
    return model.dialogs.length > 0;
  }

  index(model: Model): number {
    return this._pick % model.dialogs.length;
  }

  toString(): string {
    return `${this.constructor.name}(${this._pick})`;
  }
}

/** The person closes a dialog, or the code that opened it does. */
class Close extends OfDialog {
  async act(model: Model, real: Real): Promise<void> {
    const index = this.index(model);
    model.close(model.dialogs[index].id);
    real.dialogs[index].close();
    real.dialogs.splice(index, 1);
  }
}

class AnswerDialog extends OfDialog {
  constructor(
    pick: number,
    private readonly _client: string
  ) {
    super(pick);
  }

  async act(model: Model, real: Real): Promise<void> {
    const index = this.index(model);
    const dialog = model.dialogs[index];
    const { abort, caller } = real.caller(this._client);
    const answer = real.rig.answerDialog(dialog.id, 0, caller);
    await settle();
    if (index > 0) {
      expect(answer.error).toMatchObject({ code: 'operation_refused' });
      return;
    }
    const call = model.heldBack(dialog, this._client);
    model.close(dialog.id);
    real.dialogs.shift();
    if (call) {
      const ms = dialog.isError ? 1_000 : 20_000;
      const wait = model.wait(call, ms, dialog.id);
      real.open.push({ wait, answer, abort });
    } else {
      expect(answer.data).toEqual({
        success: true,
        answered: { dialogId: dialog.id, button: expect.any(String) }
      });
    }
  }
}

class Advance extends Step {
  constructor(private readonly _ms: number) {
    super();
  }

  async act(model: Model, real: Real): Promise<void> {
    model.advance(this._ms);
    await real.rig.clock.advance(this._ms);
  }

  toString(): string {
    return `advance(${this._ms})`;
  }
}

/** Many short calls that nobody waits for: more than are kept. */
class Burst extends Step {
  constructor(private readonly _client: string) {
    super();
  }

  async act(model: Model, real: Real): Promise<void> {
    for (let i = 0; i < 30; i++) {
      await new Start(this._client).act(model, real);
      const { wait, abort } = real.open[real.open.length - 1];
      const { call } = wait;
      wait.cancelled = true;
      model.check();
      abort.abort();
      const result = ++real.results;
      model.settle(call, result);
      await real.running.get(call)?.done({ success: true, result });
    }
  }

  toString(): string {
    return `burst(${this._client})`;
  }
}

const pick = fc.nat(1_000);
const client = fc.constantFrom(...CLIENTS);

const steps = fc.oneof(
  { weight: 12, arbitrary: client.map(who => new Start(who)) },
  { weight: 8, arbitrary: pick.map(n => new Settle(n)) },
  { weight: 4, arbitrary: pick.map(n => new Print(n)) },
  { weight: 8, arbitrary: pick.map(n => new Prompt(n)) },
  { weight: 4, arbitrary: pick.map(n => new PersonAnswers(n)) },
  {
    weight: 16,
    arbitrary: fc
      .tuple(pick, client, fc.constantFrom(0, 0.5, 3, 20, 1_000))
      .map(([n, who, seconds]) => new Wait(n, who, seconds))
  },
  {
    weight: 8,
    arbitrary: fc.tuple(pick, client).map(([n, who]) => new AnswerInput(n, who))
  },
  { weight: 4, arbitrary: pick.map(n => new Cancel(n)) },
  { weight: 12, arbitrary: fc.boolean().map(isError => new Open(isError)) },
  { weight: 8, arbitrary: pick.map(n => new Close(n)) },
  {
    weight: 16,
    arbitrary: fc
      .tuple(pick, client)
      .map(([n, who]) => new AnswerDialog(n, who))
  },
  {
    weight: 12,
    arbitrary: fc
      .constantFrom(1, 999, 1_000, 5_000, 19_999, 20_000, 300_000, 600_000)
      .map(ms => new Advance(ms))
  },
  // Rare, because it is long.
  { weight: 1, arbitrary: client.map(who => new Burst(who)) }
);

describe('Random sequences of calls, dialogs, prompts, answers, cancels, clock steps and clients', () => {
  it(
    'keep every rule of registry and tracker',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(steps, { minLength: 10, maxLength: 30, size: 'max' }),
          async commands => {
            const model = new Model();
            const real = new Real();
            await fc.asyncModelRun(() => ({ model, real }), commands);
            // Nothing is left once all has ended and its time is over.
            for (const dialog of [...real.dialogs]) {
              dialog.close();
            }
            for (const call of real.running.values()) {
              await call.done();
            }
            await real.rig.clock.advance(601_000);
            expect(real.rig.clock.waiting).toBe(0);
          }
        ),
        PROPERTY
      );
    },
    timeFor(60)
  );
});
