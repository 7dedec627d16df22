import { existsSync, readdirSync, readFileSync, statSync } from 'fs';
import path from 'path';

const STATIC = path.join(
  __dirname,
  '../../jupyterlab_mcp_bridge/labextension/static'
);
const EAGER_LIMIT = 40_000;

/** What marks code that must not be loaded before it is needed. */
const LAZY = {
  zod: /\$ZodType|ZodString/,
  'the MCP SDK': /notifications\/tools\/list_changed|modelcontextprotocol/,
  'the catalogue': /"inputSchema"|inputSchema:\{/,
  'the tools': /read_notebook first|commandCount/,
  sha256: /0x428a2f98|1116352408/
};

interface IChunk {
  readonly name: string;
  readonly source: string;
}

function chunks(): IChunk[] {
  if (!existsSync(STATIC)) {
    throw new Error('Nothing is built: run `npm run build:prod` first.');
  }
  return readdirSync(STATIC)
    .filter(name => name.endsWith('.js'))
    .map(name => ({
      name,
      source: readFileSync(path.join(STATIC, name), 'utf8')
    }));
}

const all = chunks();
const entry = all.find(({ name }) => name.startsWith('remoteEntry'));

/** Ids of the chunks that the exposed module (`./index`) is loaded with. */
function eagerIds(source: string): string[] {
  // "./index": () => Promise.all([t.e("123"), …]).then(…) or t.e("123").then(…)
  const exposed = /"\.\/(?:index|extension)":\(\)=>(.*?)\.then\(/.exec(source);
  if (!exposed) {
    throw new Error('The remote entry exposes no module that is known here.');
  }
  return [...exposed[1].matchAll(/\.e\("?(\w+)"?\)/g)].map(([, id]) => id);
}

function eagerChunks(): IChunk[] {
  if (!entry) {
    throw new Error('There is no remote entry.');
  }
  const ids = eagerIds(entry.source);
  const found = all.filter(({ name }) =>
    ids.some(id => name.startsWith(`${id}.`))
  );
  expect(found.length).toBeGreaterThan(0);
  return found;
}

describe('the built extension', () => {
  it('is a production build', () => {
    expect(entry?.source).not.toContain('sourceMappingURL=data:');
    expect(entry?.source.split('\n').length).toBeLessThan(20);
  });

  it('loads at most 40 kB at the start of the page', () => {
    const files = [entry, ...eagerChunks()].flatMap(each => each?.name ?? []);
    const sizes = files.map(
      name => [name, statSync(path.join(STATIC, name)).size] as const
    );
    const sum = sizes.reduce((total, [, size]) => total + size, 0);
    expect({ sizes, sum, ok: sum <= EAGER_LIMIT }).toMatchObject({ ok: true });
  });

  it.each(Object.entries(LAZY))(
    'holds %s, and not at the start of the page',
    (_name, mark) => {
      expect(all.some(({ source }) => mark.test(source))).toBe(true);
      expect(
        eagerChunks()
          .filter(({ source }) => mark.test(source))
          .map(({ name }) => name)
      ).toEqual([]);
    }
  );

  it('holds no module of Node', () => {
    const found = all
      .filter(({ source }) =>
        /require\("(?:node:)?(?:fs|path|http|https|net|crypto|stream|child_process|os|url)"\)|"node:/.test(
          source
        )
      )
      .map(({ name }) => name);
    expect(found).toEqual([]);
  });
});
