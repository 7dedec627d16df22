import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { IReply } from './support/agent';
import { cell, notebook } from './support/notebooks';
import { ROOT } from './support/processes';
import { useSession } from './support/session';
import { setSetting } from './support/settings';
import { PageAgent, WEBMCP } from './support/webmcp';

jest.setTimeout(90_000);

const CASES = join(ROOT, 'test', 'cases');
const notebookPath = 'work.ipynb';

/** Pictures made where the kernel is: Python writes a PNG of noise in a few lines. */
const NOISE = `import os, struct, zlib
def png(width, height):
    rows = b"".join(b"\\0" + os.urandom(3 * width) for _ in range(height))
    def chunk(name, data):
        crc = zlib.crc32(name + data)
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", crc)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", head)
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
from IPython.display import Image, SVG, display`;

const session = useSession(
  {
    [notebookPath]: notebook(
      cell('noise', NOISE),
      cell('small', 'print("before")\ndisplay(Image(data=png(40, 30)))'),
      cell('large', 'display(Image(data=png(900, 700)))'),
      cell('svg', '"replaced below"'),
      cell('several', 'display(Image(data=png(4, 3)))\n'.repeat(3)),
      cell('text', 'print("no picture")')
    )
  },
  { browser: WEBMCP }
);

/** Counts what a picture asks for: nothing may. */
let outside: Server;
let asked: string[];

beforeAll(async () => {
  asked = [];
  outside = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.end();
  });
  await new Promise<void>(resolve =>
    outside.listen(0, '127.0.0.1', () => resolve())
  );
  await session.tab.openNotebook(notebookPath);
  for (const name of ['b26_png_plot', 'b28_png_with_line_breaks']) {
    const text = await readFile(join(CASES, `${name}.ipynb`), 'utf8');
    await session.home.write(`${name}.ipynb`, text);
  }
  for (const cellId of ['noise', 'small', 'large', 'several', 'text']) {
    await session.agent.call('run_cell', { notebookPath, cellId });
  }
}, 90_000);

afterAll(async () => {
  await new Promise(resolve => outside.close(resolve));
  expect(session.tab.errors).toEqual([]);
});

interface IShown {
  readonly data: Record<string, unknown>;
  readonly picture: Buffer;
  readonly mimeType: string;
  readonly texts: readonly string[];
}

/** A reply with a picture, taken apart; everything of it is checked here. */
function shown({ isError, structured, content }: IReply): IShown {
  expect(isError).toBe(false);
  expect(structured).toEqual({});
  expect(content.map(({ type }) => type)).toEqual(['text', 'image', 'text']);
  const texts = content.flatMap(block =>
    block.type === 'text' ? block.text : []
  );
  const [image] = content.flatMap(block =>
    block.type === 'image' ? block : []
  );
  expect(image.data).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
  const picture = Buffer.from(image.data, 'base64');
  const { data, truncation, auditId } = JSON.parse(texts[1]);
  expect({ truncation, auditId }).toEqual({ truncation: null, auditId: null });
  expect(data).toMatchObject({ untrusted: true, success: true });
  expect(data.bytes).toBe(picture.length);
  expect(data.kind).toBe(image.mimeType);
  return { data, picture, mimeType: image.mimeType, texts };
}

const view = (args: Record<string, unknown>) =>
  session.agent.call('view_output', { notebookPath, ...args });

/** Runs code whose output is a bundle with one type. */
async function display(type: string, data: string): Promise<IReply> {
  const { agent } = session;
  const { data: read } = await agent.call('read_cell', {
    notebookPath,
    cellId: 'svg'
  });
  const bundle = JSON.stringify({ [type]: data });
  const ran = await agent.call('run_cell', {
    notebookPath,
    cellId: 'svg',
    content: `display(${bundle}, raw=True)`,
    revision: read.revision
  });
  expect(ran).toHaveReply({ isError: false });
  return view({ cellId: 'svg' });
}

/** The color of a pixel of a picture, as the browser decodes it. */
function pixel(shown: IShown, x: number, y: number): Promise<number[]> {
  return session.tab.page.evaluate(
    async ([url, x, y]) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = image.width;
      canvas.height = image.height;
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0);
      return [...(context?.getImageData(x, y, 1, 1).data ?? [])];
    },
    [
      `data:${shown.mimeType};base64,${shown.picture.toString('base64')}`,
      x,
      y
    ] as const
  );
}

describe('view_output', () => {
  it('shows what code displayed, as it is', async () => {
    const { data, picture, texts } = shown(await view({ cellId: 'small' }));
    expect(data).toEqual({
      untrusted: true,
      success: true,
      kind: 'image/png',
      bytes: picture.length,
      width: 40,
      height: 30,
      output: 1
    });
    expect(texts[0]).toMatch(/data from documents/);
    expect(texts[1].length).toBeLessThan(300);
    const file = await session.tab.panel(notebookPath);
    const kept = await file.evaluate(panel =>
      JSON.stringify(panel.content.widgets[1].model.sharedModel.toJSON())
    );
    expect(kept).toContain(picture.toString('base64').slice(0, 60));
  });

  it('says which other outputs have pictures', async () => {
    const first = shown(await view({ cellId: 'several' }));
    expect(first.data).toMatchObject({ output: 0 });
    expect(first.data.message).toMatch(/outputs 1, 2/);
    const third = shown(await view({ cellId: 'several', output: 2 }));
    expect(third.data).toMatchObject({ output: 2, width: 4, height: 3 });
  });

  it('refuses with the outputs or cells that have pictures', async () => {
    expect(await view({ cellId: 'text' })).toHaveReply({
      isError: true,
      code: 'not_found',
      message: expect.stringMatching(/small, large, several/)
    });
    expect(await view({ cellId: 'small', output: 0 })).toHaveReply({
      code: 'not_found',
      message: expect.stringMatching(/output 1\./)
    });
  });

  it('scales down what is above the cap, and says so', async () => {
    const { data, picture } = shown(await view({ cellId: 'large' }));
    expect(picture.length).toBeLessThanOrEqual(1024 * 1024);
    expect(picture.length).toBeGreaterThan(300 * 1024);
    expect(data.kind).toBe('image/png');
    expect(data.message).toMatch(/900 x 700 pixels and \d{7} bytes/);
    const { width, height } = data;
    expect(Number(width) / Number(height)).toBeCloseTo(9 / 7, 1);
  });

  it('scales down what is longer than models take', async () => {
    const { agent } = session;
    const { data: read } = await agent.call('read_cell', {
      notebookPath,
      cellId: 'svg'
    });
    await agent.call('run_cell', {
      notebookPath,
      cellId: 'svg',
      content: 'display(Image(data=png(9000, 9)))',
      revision: read.revision
    });
    const { data } = shown(await view({ cellId: 'svg' }));
    expect(data).toMatchObject({ kind: 'image/png', width: 8000, height: 8 });
    expect(data.message).toMatch(/9000 x 9 pixels/);
  });

  it('keeps to the cap that the person has set, or says that it cannot', async () => {
    await setSetting(session.tab, 'imageCap', 1024);
    try {
      const { picture } = shown(await view({ cellId: 'large' }));
      expect(picture.length).toBeLessThanOrEqual(1024);
    } finally {
      await setSetting(session.tab, 'imageCap', 1024 * 1024);
    }
  });

  it('shows pictures of notebooks that are not open', async () => {
    const path = { notebookPath: 'b26_png_plot.ipynb' };
    const { data } = shown(await view({ ...path, cellId: 'case0314' }));
    expect(data).toMatchObject({ width: 96, height: 72 });
    expect(await session.tab.openPaths()).toEqual([notebookPath]);
  });

  it('joins lines of base64, and refuses what is none, open or not', async () => {
    const path = { notebookPath: 'b28_png_with_line_breaks.ipynb' };
    for (const open of [false, true]) {
      if (open) {
        await session.tab.openNotebook(path.notebookPath);
      }
      const { data } = shown(await view({ ...path, cellId: 'case0315' }));
      expect(data).toMatchObject({ width: 12, height: 9 });
      expect(await view({ ...path, cellId: 'case0316' })).toHaveReply({
        isError: true,
        code: 'unsupported_type',
        message: expect.stringMatching(/not base64/)
      });
    }
  });

  describe('of an SVG', () => {
    const drawing = (inside: string, attributes = 'width="60" height="40"') =>
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}</svg>`;

    it('is a PNG of its size, on white', async () => {
      const result = shown(
        await display(
          'image/svg+xml',
          drawing('<rect x="30" width="30" height="40" fill="#f00"/>')
        )
      );
      expect(result.data).toMatchObject({
        kind: 'image/png',
        width: 60,
        height: 40
      });
      expect(await pixel(result, 45, 20)).toEqual([255, 0, 0, 255]);
      expect(await pixel(result, 10, 20)).toEqual([255, 255, 255, 255]);
    });

    it('fetches nothing and runs nothing', async () => {
      const { port } = outside.address() as AddressInfo;
      const away = `http://127.0.0.1:${port}`;
      const text = drawing(
        `<script>parent.hacked = true; fetch('${away}/script')</script>
         <style>@import url(${away}/style.css); rect { fill: url(${away}/fill.svg#a) }
         @font-face { font-family: F; src: url(${away}/font.woff) }</style>
         <image href="${away}/image.png" width="10" height="10" onload="fetch('${away}/onload')"/>
         <image xlink:href="${away}/xlink.png" width="10" height="10"/>
         <use href="${away}/use.svg#a"/>
         <text font-family="F">x</text>
         <foreignObject width="60" height="40"><img xmlns="http://www.w3.org/1999/xhtml" src="${away}/html.png" onerror="fetch('${away}/onerror')"/><iframe xmlns="http://www.w3.org/1999/xhtml" src="${away}/frame"/></foreignObject>
         <rect width="60" height="40" style="fill:#00f"/>`
      );
      // The person's own view of the output is JupyterLab's business: the file is read.
      await session.home.write(
        'svg.ipynb',
        notebook({
          ...cell('svg', ''),
          execution_count: 1,
          outputs: [
            {
              output_type: 'display_data',
              metadata: {},
              data: {
                'image/svg+xml': `<?xml version="1.0"?><?xml-stylesheet href="${away}/sheet.css"?><!DOCTYPE svg SYSTEM "${away}/svg.dtd">${text}`
              }
            }
          ]
        })
      );
      const result = shown(
        await view({ notebookPath: 'svg.ipynb', cellId: 'svg' })
      );
      expect(await pixel(result, 30, 30)).toEqual([0, 0, 255, 255]);
      await session.tab.page.waitForTimeout(500);
      expect(asked).toEqual([]);
      expect(
        await session.tab.page.evaluate(() => Reflect.get(window, 'hacked'))
      ).toBeUndefined();
    });

    it.each<[string, string, number, number]>([
      ['in points', 'width="30pt" height="15pt"', 40, 20],
      ['of its view box', 'viewBox="0 0 120 80"', 120, 80],
      ['of a width and a view box', 'width="60" viewBox="0 0 120 80"', 60, 40],
      ['of parts of the page', 'width="100%" viewBox="0 0 90 30"', 90, 30],
      ['of nothing', '', 300, 150],
      ['too large', 'width="40000" height="10000"', 2000, 500]
    ])('with a size %s', async (_what, attributes, width, height) => {
      const { data } = shown(
        await display('image/svg+xml', drawing('<g/>', attributes))
      );
      expect(data).toMatchObject({ width, height });
    });

    it('without a namespace is drawn, as JupyterLab does', async () => {
      const result = shown(
        await display(
          'image/svg+xml',
          '<svg width="20" height="20"><rect width="20" height="20" fill="#0f0"/></svg>'
        )
      );
      expect(await pixel(result, 5, 5)).toEqual([0, 255, 0, 255]);
    });

    it.each(['<svg', '<html><body/></html>', 'no svg at all', ''])(
      'refuses %j',
      async text => {
        expect(await display('image/svg+xml', text)).toHaveReply({
          isError: true,
          code: 'unsupported_type'
        });
      }
    );
  });

  it('gives an agent in the browser the facts', async () => {
    const page = new PageAgent(session.tab.page);
    await page.until(names => names.includes('view_output'));
    const facts = await page.call('view_output', {
      notebookPath,
      cellId: 'small'
    });
    const { data } = shown(await view({ cellId: 'small' }));
    expect({ untrusted: true, ...facts }).toEqual(data);
  });

  it('works while another tab is in front', async () => {
    const other = await session.tab.context.newPage();
    try {
      await other.bringToFront();
      const { data } = shown(
        await display(
          'image/svg+xml',
          '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"/>'
        )
      );
      expect(data).toMatchObject({ width: 20, height: 10 });
      expect(shown(await view({ cellId: 'large' })).data.kind).toBe(
        'image/png'
      );
    } finally {
      await other.close();
    }
  });
});
