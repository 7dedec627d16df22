import type { DocumentRegistry } from '@jupyterlab/docregistry';
import { Signal } from '@lumino/signaling';
import { saveDocument } from '../../../src/jupyter/disk';
import { FakeClock, settle } from '../transports/fakeClock';

/** A document, and how often JupyterLab's own save was asked for. */
class Document {
  constructor(
    readonly collaborative: boolean,
    private readonly _fails?: unknown
  ) {}

  dirty = true;
  saves = 0;
  readonly stateChanged = new Signal<this, void>(this);

  /** The server has saved it. */
  clean(): void {
    this.dirty = false;
    this.stateChanged.emit();
  }

  get context(): DocumentRegistry.Context {
    const context: unknown = {
      model: this,
      save: async () => {
        this.saves++;
        if (this._fails !== undefined) {
          throw this._fails;
        }
        this.dirty = false;
      }
    };
    return context as DocumentRegistry.Context;
  }
}

it('a document of one person is saved as their Save would', async () => {
  const alone = new Document(false);
  expect(await saveDocument(alone.context, new FakeClock())).toBe(true);
  expect(alone.saves).toBe(1);
});

describe('a shared document', () => {
  it('is left to the server, which saves by itself (b08)', async () => {
    const shared = new Document(true);
    const saved = saveDocument(shared.context, new FakeClock());
    await settle();
    shared.clean();
    expect(await saved).toBe(true);
    expect(shared.saves).toBe(0);
  });

  it('with nothing to save is saved', async () => {
    const shared = new Document(true);
    shared.clean();
    expect(await saveDocument(shared.context, new FakeClock())).toBe(true);
    expect(shared.saves).toBe(0);
  });

  it('is saved where the server does not come to it', async () => {
    const shared = new Document(true);
    const clock = new FakeClock();
    const saved = saveDocument(shared.context, clock);
    await clock.advance(2999);
    expect(shared.saves).toBe(0);
    await clock.advance(1);
    expect(await saved).toBe(true);
    expect(shared.saves).toBe(1);
  });

  it('whose save collaboration refuses says so in its words', async () => {
    const shared = new Document(true, 'Saving already in progress');
    const clock = new FakeClock();
    const saved = saveDocument(shared.context, clock).catch(
      (reason: unknown) => reason
    );
    await clock.advance(3000);
    expect(await saved).toMatchObject({
      code: 'operation_refused',
      message: expect.stringContaining('Saving already in progress')
    });
  });
});
