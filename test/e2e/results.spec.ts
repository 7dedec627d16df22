import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectGolden, Normaliser } from './support/golden';
import { cell, notebook } from './support/notebooks';
import { useSession } from './support/session';
import { setSetting } from './support/settings';
import {
  type IPresented,
  type ISurface,
  mcpSurface,
  webMcpSurface
} from './support/surfaces';
import { PageAgent, WEBMCP } from './support/webmcp';

jest.setTimeout(90_000);

const listing: { tools: { name: string }[] } = JSON.parse(
  readFileSync(join(__dirname, '..', 'golden', 'tools.json'), 'utf8')
);
const TOOLS = listing.tools.map(({ name }) => name);
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const DEMO = notebook(
  cell('one', 'a = 1'),
  cell('bad', '1 / 0'),
  cell('spare', '# not needed'),
  cell('long', `text = '${'x'.repeat(60_000)}'`),
  {
    ...cell('plot', 'figure'),
    outputs: [
      { output_type: 'display_data', data: { 'image/png': PNG }, metadata: {} }
    ]
  }
);

const session = useSession(
  {
    'demo.ipynb': DEMO,
    'webmcp/demo.ipynb': DEMO,
    'webmcp/notes.txt': 'one\n',
    'mcp/demo.ipynb': DEMO,
    'mcp/notes.txt': 'one\n'
  },
  { browser: WEBMCP }
);
let surfaces: readonly ISurface[];

beforeAll(async () => {
  const page = new PageAgent(session.tab.page);
  await page.until(names => names.length >= TOOLS.length);
  surfaces = [webMcpSurface(page), mcpSurface(session.agent)];
  for (const path of [
    'webmcp/demo.ipynb',
    'mcp/demo.ipynb',
    // Opened last, it is the one that the person looks at.
    'demo.ipynb'
  ]) {
    const panel = await session.tab.openNotebook(path);
    await panel.evaluate(async ({ sessionContext }) => {
      await sessionContext.ready;
      await sessionContext.session?.kernel?.info;
    });
  }
}, 90_000);

afterAll(() => {
  expect(session.tab.errors).toEqual([]);
});

/** What examples name: the notebook at hand and its kernel. */
interface IPlace {
  readonly notebookPath: string;
  readonly kernelId: string;
  readonly widgetId: string;
}

async function placeOf(notebookPath: string): Promise<IPlace> {
  const panel = await session.tab.panel(notebookPath);
  const [kernelId, widgetId] = await panel.evaluate(each => [
    each.sessionContext.session?.kernel?.id ?? '',
    each.id
  ]);
  return { notebookPath, kernelId, widgetId };
}

interface IStep {
  readonly tool: string;
  readonly args: (place: IPlace, before: IPresented[]) => object;
}

const pendingId = (before: IPresented[]) => before[0].data.pendingId;

/** Results as R shows them, and as docs/results.md does. */
const EXAMPLES: Record<string, readonly IStep[]> = {
  'long-run': [
    {
      tool: 'run_code',
      args: ({ kernelId }) => ({
        kernelId,
        code: 'import time\nfor i in range(120):\n    time.sleep(1)'
      })
    },
    { tool: 'interrupt_kernel', args: ({ kernelId }) => ({ kernelId }) },
    {
      tool: 'wait_for_result',
      args: (_, before) => ({ pendingId: pendingId(before) })
    }
  ],
  'unknown-argument': [
    {
      tool: 'run_cell',
      args: ({ notebookPath }) => ({ notebook: notebookPath, cellId: 'x' })
    }
  ],
  'long-output': [
    {
      tool: 'run_code',
      args: ({ kernelId }) => ({ kernelId, code: "print('x' * 100000)" })
    },
    {
      tool: 'read_result',
      args: (_, [{ resultId }]) => ({
        resultId,
        field: 'outputs[0].text',
        range: { offset: 99_000, length: 2_000 }
      })
    }
  ],
  'long-source': [
    {
      tool: 'read_cell',
      args: ({ notebookPath }) => ({ notebookPath, cellId: 'long' })
    }
  ],
  raised: [
    {
      tool: 'run_cell',
      args: ({ notebookPath }) => ({ notebookPath, cellId: 'bad' })
    }
  ],
  prompt: [
    {
      tool: 'run_code',
      args: ({ kernelId }) => ({
        kernelId,
        code: 'print("One question.")\nname = input("Your name? ")'
      })
    },
    {
      tool: 'answer_input',
      args: (_, before) => ({ pendingId: pendingId(before), value: 'Ada' })
    }
  ],
  'not-found': [
    {
      tool: 'read_cell',
      args: ({ notebookPath }) => ({ notebookPath, cellId: 'gone' })
    }
  ],
  dialog: [
    {
      tool: 'execute_command',
      args: ({ widgetId }) => ({
        command_id: 'notebook:restart-kernel',
        args: { semanticWidget: widgetId, activate: false }
      })
    },
    { tool: 'answer_dialog', args: () => ({ button: 'Restart' }) }
  ]
};

describe('results, in golden files', () => {
  /** One example on one surface, once the kernel answers. */
  async function play(surface: ISurface, steps: readonly IStep[]) {
    const panel = await session.tab.panel('demo.ipynb');
    await panel.evaluate(({ sessionContext }) =>
      sessionContext.session?.kernel?.requestKernelInfo()
    );
    const place = await placeOf('demo.ipynb');
    const normaliser = new Normaliser(
      new Map([
        [place.kernelId, 'kernel-1'],
        [place.widgetId, 'widget-1']
      ])
    );
    const before: IPresented[] = [];
    const played = [];
    for (const { tool, args } of steps) {
      const given = { ...args(place, before) };
      const answer = await surface.call(tool, given);
      before.push(answer);
      played.push({
        tool,
        arguments: normaliser.normalise(given),
        [surface.name]: normaliser.normalise(answer.whole)
      });
    }
    return played;
  }

  it.each(Object.keys(EXAMPLES))('%s', async name => {
    const isLong = name === 'long-run';
    if (isLong) {
      await setSetting(session.tab, 'executionTimeout', 2);
    }
    const [webmcp, mcp] = [
      await play(surfaces[0], EXAMPLES[name]),
      await play(surfaces[1], EXAMPLES[name])
    ];
    if (isLong) {
      await setSetting(session.tab, 'executionTimeout', 20);
    }
    expectGolden(
      name,
      webmcp.map((step, i) => ({ ...step, ...mcp[i] }))
    );
  });
});

/** One call of each tool, in this order, within both surfaces' limits. */
describe('a result within both limits is the same object on both surfaces', () => {
  interface IAt extends IPlace {
    readonly surface: ISurface;
    readonly folder: string;
    /** Of the call that waits for input. */
    pendingId: unknown;
  }
  const at: IAt[] = [];

  beforeAll(async () => {
    for (const surface of surfaces) {
      const place = await placeOf(`${surface.name}/demo.ipynb`);
      at.push({
        ...place,
        surface,
        folder: surface.name,
        pendingId: undefined
      });
    }
  });

  async function revisionOf({ surface, notebookPath }: IAt, cellId: string) {
    const read = await surface.call('read_cell', { notebookPath, cellId });
    return read.data.revision;
  }

  type Args = Record<string, unknown>;
  type Example = [string, (at: IAt) => Args | Promise<Args>];
  const calls: Example[] = [
    ['get_context', () => ({})],
    ['list_all_commands', () => ({ query: 'restart kernel' })],
    ['list_directory', ({ folder }) => ({ path: folder })],
    ['read_notebook', ({ notebookPath }) => ({ notebookPath })],
    ['read_cell', ({ notebookPath }) => ({ notebookPath, cellId: 'one' })],
    ['read_file', ({ folder }) => ({ filePath: `${folder}/notes.txt` })],
    [
      'add_cell',
      ({ notebookPath }) => ({
        notebookPath,
        content: 'b = 2',
        referenceCellId: 'one'
      })
    ],
    [
      'edit_cell',
      async each => ({
        notebookPath: each.notebookPath,
        cellId: 'one',
        content: 'a = 3',
        revision: await revisionOf(each, 'one')
      })
    ],
    [
      'delete_cell',
      async each => ({
        notebookPath: each.notebookPath,
        cellId: 'spare',
        revision: await revisionOf(each, 'spare')
      })
    ],
    ['save_notebook', ({ notebookPath }) => ({ notebookPath })],
    [
      'write_file',
      async ({ surface, folder }) => {
        const filePath = `${folder}/notes.txt`;
        const { data } = await surface.call('read_file', { filePath });
        return { filePath, content: 'two\n', revision: data.revision };
      }
    ],
    [
      'create_file',
      ({ folder }) => ({ fileName: 'new.txt', content: 'new', cwd: folder })
    ],
    ['create_notebook', ({ folder }) => ({ name: 'new.ipynb', cwd: folder })],
    ['open_document', ({ folder }) => ({ path: `${folder}/notes.txt` })],
    ['view_output', ({ notebookPath }) => ({ notebookPath, cellId: 'plot' })],
    ['run_cell', ({ notebookPath }) => ({ notebookPath, cellId: 'one' })],
    [
      'run_cells',
      ({ notebookPath }) => ({ notebookPath, cellIds: ['one', 'bad'] })
    ],
    ['run_code', ({ kernelId }) => ({ kernelId, code: 'print(a)\na + 1' })],
    [
      'wait_for_result',
      async each => {
        const { data } = await each.surface.call('run_code', {
          kernelId: each.kernelId,
          code: 'input("Name? ")'
        });
        each.pendingId = data.pendingId;
        return { pendingId: each.pendingId };
      }
    ],
    ['answer_input', each => ({ pendingId: each.pendingId, value: 'Ada' })],
    [
      'execute_command',
      () => ({ command_id: 'filebrowser:go-to-path', args: { path: '' } })
    ],
    [
      'answer_dialog',
      async ({ surface, widgetId }) => {
        await surface.call('execute_command', {
          command_id: 'notebook:restart-kernel',
          args: { semanticWidget: widgetId, activate: false }
        });
        return { button: 'cancel' };
      }
    ],
    [
      'read_result',
      async ({ surface, kernelId }) => {
        const { resultId } = await surface.call('run_code', {
          kernelId,
          code: 'print("0123456789" * 9000)'
        });
        const range = { offset: 5000, length: 20 };
        return { resultId, field: 'outputs[0].text', range };
      }
    ],
    ['interrupt_kernel', ({ kernelId }) => ({ kernelId })],
    ['restart_kernel', ({ kernelId }) => ({ kernelId })],
    [
      'change_kernel',
      ({ notebookPath }) => ({ notebookPath, kernelName: 'python3' })
    ]
  ];

  it('the table is covered', () => {
    expect(calls.map(([tool]) => tool).sort()).toEqual(TOOLS);
  });

  it.each(calls)('%s', async (tool, args) => {
    const answers: unknown[] = [];
    for (const each of at) {
      const normaliser = new Normaliser(
        tool === 'get_context' ? new Map() : new Map([[each.folder, 'folder']])
      );
      const answer = await each.surface.call(tool, await args(each));
      expect(answer.data).not.toHaveProperty('truncated');
      const { untrusted, ...data } = answer.data;
      if (each.surface.name === 'mcp') {
        expect(answer.whole).toHaveProperty(
          'structuredContent.truncation',
          null
        );
        expect([undefined, true]).toContain(untrusted);
        expect(Object.keys(answer.data).indexOf('untrusted')).toBeLessThan(1);
      } else {
        expect(untrusted).toBeUndefined();
      }
      answers.push(normaliser.normalise(data));
    }
    // As text, so that the order of the fields counts too.
    expect(JSON.stringify(answers[1], null, 1)).toBe(
      JSON.stringify(answers[0], null, 1)
    );
  });

  it.each(TOOLS)(
    '%s refuses an unknown argument in the same words',
    async tool => {
      const [onPage, overMcp] = [
        await surfaces[0].call(tool, { nonsense: 1 }),
        await surfaces[1].call(tool, { nonsense: 1 })
      ];
      expect(onPage.whole).toEqual({
        success: false,
        error: expect.stringMatching(
          /^Unknown argument "nonsense"\. (Accepted arguments: "|This tool takes no)/
        ),
        isError: true
      });
      expect(overMcp.whole).toEqual({
        isError: true,
        structuredContent: {
          code: 'validation_failed',
          message: onPage.error,
          auditId: null,
          retryable: false
        }
      });
    }
  );
});
