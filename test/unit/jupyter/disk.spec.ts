import type { DocumentRegistry } from '@jupyterlab/docregistry';
import { type Contents, ServerConnection } from '@jupyterlab/services';
import { Signal } from '@lumino/signaling';
import { Disk } from '../../../src/jupyter/disk';
import { FakeClock, settle } from '../transports/fakeClock';

/** A document and its file, and how often JupyterLab's own save was asked for. */
class Document {
  constructor(
    readonly collaborative: boolean,
    readonly sharedModel: object = {},
    private readonly _fails?: unknown
  ) {}

  shown: unknown = 'new';
  onDisk: unknown = 'old';
  dirty = true;
  isWritable = true;
  isGone = false;
  saves = 0;
  readonly clock = new FakeClock();
  readonly stateChanged = new Signal<this, void>(this);
  readonly fileChanged = new Signal<this, void>(this);

  /** The server has saved what was there when it began to. */
  saved(content: unknown): void {
    this.onDisk = content;
    this.dirty = false;
    this.stateChanged.emit();
    this.fileChanged.emit();
  }

  toString(): string {
    return String(this.shown);
  }

  toJSON(): unknown {
    return this.shown;
  }

  save(): Promise<boolean> {
    const context: unknown = {
      path: 'a.txt',
      contentsModel: {},
      model: this,
      fileChanged: this.fileChanged,
      save: async () => {
        this.saves++;
        if (this._fails !== undefined) {
          throw this._fails;
        }
        this.dirty = false;
        this.onDisk = this.isWritable ? this.shown : this.onDisk;
      }
    };
    const contents: unknown = {
      get: async () => {
        if (this.isGone) {
          throw new ServerConnection.ResponseError(
            new Response(null, { status: 404 })
          );
        }
        return { content: this.onDisk };
      }
    };
    const disk = new Disk(contents as Contents.IManager, this.clock);
    return disk.save(context as DocumentRegistry.Context);
  }
}

it('a document of one person is saved as their Save would', async () => {
  const alone = new Document(false);
  expect(await alone.save()).toBe(true);
  expect(alone.saves).toBe(1);
});

it('a document whose file is gone is not brought back', async () => {
  const alone = new Document(false);
  alone.isGone = true;
  await expect(alone.save()).rejects.toMatchObject({
    code: 'operation_refused',
    message: expect.stringContaining('gone from disk')
  });
  expect(alone.saves).toBe(0);
});

describe('a shared document', () => {
  it('whose file is gone is not brought back either', async () => {
    const shared = new Document(true);
    shared.isGone = true;
    const saved = shared.save().catch((reason: unknown) => reason);
    await shared.clock.advance(3000);
    expect(await saved).toMatchObject({ code: 'operation_refused' });
    expect(shared.saves).toBe(0);
  });

  it('is left to the server, which saves by itself (b08)', async () => {
    const shared = new Document(true);
    const saved = shared.save();
    await settle();
    shared.saved('new');
    expect(await saved).toBe(true);
    expect(shared.saves).toBe(0);
    // What is there already is not saved again.
    expect(await shared.save()).toBe(true);
    expect(shared.saves).toBe(0);
  });

  it('is not taken for saved when an earlier save has ended', async () => {
    const shared = new Document(true);
    const saved = shared.save();
    shared.saved('old');
    let isOver = false;
    void saved.then(() => (isOver = true));
    await settle();
    expect(isOver).toBe(false);
    shared.saved('new');
    expect(await saved).toBe(true);
    expect(shared.saves).toBe(0);
  });

  it.each([
    ['the source', { source: 'x = 2' }],
    ['the count', { execution_count: 2 }],
    ['the outputs', { outputs: [] }]
  ])('of cells is compared by %s', async (_, change) => {
    const cell = {
      cell_type: 'code',
      source: 'x = 1',
      execution_count: 1,
      outputs: [{}]
    };
    const shared = new Document(true, { cells: [] });
    shared.shown = { cells: [cell] };
    const saved = shared.save();
    shared.saved({ cells: [{ ...cell, ...change }] });
    let isOver = false;
    void saved.then(() => (isOver = true));
    await settle();
    expect(isOver).toBe(false);
    // The server writes sources as lists of lines, and metadata of its own.
    shared.saved({ cells: [{ ...cell, source: ['x = ', '1'], metadata: {} }] });
    expect(await saved).toBe(true);
  });

  it('is saved where the server does not come to it', async () => {
    const shared = new Document(true);
    const saved = shared.save();
    await shared.clock.advance(2999);
    expect(shared.saves).toBe(0);
    await shared.clock.advance(1);
    expect(await saved).toBe(true);
    expect(shared.saves).toBe(1);
  });

  it('whose file may not be written is not told as saved', async () => {
    const shared = new Document(true);
    shared.isWritable = false;
    const saved = shared.save();
    await shared.clock.advance(3000);
    expect(await saved).toBe(false);
  });

  it('whose save collaboration refuses says so in its words', async () => {
    const shared = new Document(true, {}, 'Saving already in progress');
    const saved = shared.save().catch((reason: unknown) => reason);
    await shared.clock.advance(3000);
    expect(await saved).toMatchObject({
      code: 'operation_refused',
      message: expect.stringContaining('Saving already in progress')
    });
  });
});
