import fc from 'fast-check';
import type { NotebookPanel } from '@jupyterlab/notebook';
import { ToolError } from '../../src/calls/errors';
import type { Data } from '../../src/calls/types';
import { addCell, deleteCell, editCell, readCell } from '../../src/tools/cells';
import type { AnyTool } from '../../src/tools/define';
import { caseText } from './support/disk';
import { Page } from './support/page';
import { PROPERTY, timeFor } from '../support/property';

const B04 = 'b04_two_equal_cells.ipynb';

/** One step of the person or the agent; numbers choose cells and places. */
type Step =
  | { who: 'types'; cell: number; at: number; text: string }
  | { who: 'erases'; cell: number; at: number; length: number }
  | { who: 'inserts' | 'removes' | 'undoes'; cell: number }
  | { who: 'reads' | 'deletes' | 'adds'; cell: number }
  | { who: 'edits'; cell: number; text: string }
  | { who: 'replaces'; cell: number; at: number; text: string };

const text = fc.constantFrom('a', 'bc', '\n', '👩‍🌾', 'x = 1', '🙂');
const cell = fc.nat(2);
const at = fc.nat(12);

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ who: fc.constant('types' as const), cell, at, text }),
  fc.record({
    who: fc.constant('erases' as const),
    cell,
    at,
    length: fc.integer({ min: 1, max: 4 })
  }),
  fc.record({
    who: fc.constantFrom(
      'inserts' as const,
      'removes' as const,
      'undoes' as const,
      'reads' as const,
      'reads' as const,
      'deletes' as const,
      'adds' as const
    ),
    cell
  }),
  fc.record({ who: fc.constant('edits' as const), cell, text }),
  fc.record({ who: fc.constant('replaces' as const), cell, at, text })
);

/** What the agent knows of a cell since it read or edited it last. */
interface IKnown {
  revision: string;
  source: string;
}

/** The person and the agent at one notebook. */
class Desk {
  constructor(
    private readonly _page: Page,
    private readonly _panel: NotebookPanel
  ) {}

  async do(step: Step): Promise<void> {
    const { shared, index } = this._choose(step.cell);
    const cell = shared.cells[index];
    switch (step.who) {
      case 'types':
        cell?.updateSource(
          ...([
            place(cell.source, step.at),
            place(cell.source, step.at)
          ] as const),
          step.text
        );
        return;
      case 'erases':
        cell?.updateSource(
          place(cell.source, step.at),
          place(cell.source, step.at + step.length)
        );
        return;
      case 'inserts':
        shared.insertCell(index, { cell_type: 'code', source: 'person' });
        return;
      case 'removes':
        return cell && shared.deleteCell(index);
      case 'undoes':
        shared.undo();
        return;
      case 'adds':
        await this._call(addCell, { content: 'agent' });
        return;
      default:
        return this._agent(step, index);
    }
  }

  private async _agent(step: Step, index: number): Promise<void> {
    const open = this._page.notebooks.open()[0].cells[index];
    if (!open) {
      return;
    }
    const { cellId } = open;
    const before = open.source;
    const known = this._known.get(cellId);
    if (step.who === 'reads') {
      const { revision, source } = await this._call(readCell, { cellId });
      expect(source).toBe(before);
      this._known.set(cellId, {
        revision: String(revision),
        source: String(source)
      });
      return;
    }
    if (!known) {
      return;
    }
    const { revision } = known;
    const others = this._others(cellId);
    try {
      if (step.who === 'deletes') {
        const data = await this._call(deleteCell, { cellId, revision });
        expect(data.replaced).toBe(known.source);
        this._known.delete(cellId);
      } else if (step.who === 'edits') {
        this._took(
          cellId,
          await this._call(editCell, { cellId, revision, content: step.text })
        );
        expect(this._source(cellId)).toBe(step.text);
      } else if (step.who === 'replaces') {
        const old = known.source.slice(place(known.source, step.at));
        const data = await this._call(editCell, {
          cellId,
          revision,
          replacements: [{ old, new: step.text }]
        });
        this._took(cellId, data);
      }
      // It did what it did to the very text that the agent had seen.
      expect(known.source).toBe(before);
    } catch (reason) {
      if (!(reason instanceof ToolError)) {
        throw reason;
      }
      expect(['stale_revision', 'validation_failed']).toContain(reason.code);
      expect(this._source(cellId)).toBe(before);
      if (known.source !== before) {
        expect(reason.code).toBe('stale_revision');
      }
    }
    expect(this._others(cellId)).toEqual(others);
  }

  private _took(cellId: string, data: Data): void {
    this._known.set(cellId, {
      revision: String(data.revision),
      source: this._source(cellId) ?? ''
    });
  }

  private _source(cellId: string): string | undefined {
    const { cells } = this._page.notebooks.open()[0];
    return cells.find(each => each.cellId === cellId)?.source;
  }

  private _others(cellId: string): unknown[] {
    const { cells } = this._page.notebooks.open()[0];
    return cells
      .filter(each => each.cellId !== cellId)
      .map(each => [each.cellId, each.source]);
  }

  private _call(tool: AnyTool, args: Data): Promise<Data> {
    return this._page.call(tool, { notebookPath: B04, ...args });
  }

  private _choose(cell: number) {
    const shared = this._panel.model!.sharedModel;
    return { shared, index: cell % Math.max(1, shared.cells.length) };
  }

  private readonly _known = new Map<string, IKnown>();
}

/** A place in a text that is not inside a pair. */
function place(source: string, at: number): number {
  const found = Math.min(at, source.length);
  return /[\ud800-\udbff]$/.test(source.slice(0, found)) ? found - 1 : found;
}

it(
  'no edit of the agent takes anything from the person unseen',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 3, maxLength: 25 }),
        async steps => {
          const page = new Page({ [B04]: caseText(B04) });
          try {
            const desk = new Desk(page, await page.open(B04));
            for (const each of steps) {
              await desk.do(each);
            }
          } finally {
            page.dispose();
          }
        }
      ),
      // Each run opens a notebook, which takes its time.
      { ...PROPERTY, numRuns: Math.ceil(PROPERTY.numRuns / 15) }
    );
  },
  timeFor(20)
);
