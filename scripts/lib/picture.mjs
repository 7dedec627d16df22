/**
 * The picture of the README: where a call goes. Drawn here and not by hand,
 * so that a word or a box can be changed and reviewed as text.
 */
const WIDTH = 860;
const HEIGHT = 270;

const STYLE = `
  svg { --ink: #1f2328; --faint: #59636e; --line: #8c959f; --box: #ffffff; --agent: #ddf4ff; --tab: #fff1e5; --back: #f6f8fa }
  @media (prefers-color-scheme: dark) {
    svg { --ink: #f0f6fc; --faint: #9198a1; --line: #6e7681; --box: #151b23; --agent: #10304d; --tab: #2b2117; --back: #0d1117 }
  }
  .back { fill: var(--back) }
  .box { fill: var(--box); stroke: var(--line) }
  .agent { fill: var(--agent); stroke: var(--line) }
  .tab { fill: var(--tab); stroke: var(--line) }
  .bar { fill: var(--line) }
  .line { stroke: var(--line); stroke-width: 2; fill: none }
  .tip { fill: var(--line) }
  text { font: 14px system-ui, sans-serif; fill: var(--ink) }
  .name { font-weight: 600 }
  .small { font-size: 12px; fill: var(--faint) }
  .code { font: 12px ui-monospace, monospace }
`;

const box = (kind, x, y, width, height) =>
  `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>`;

const text = (kind, x, y, words, anchor = 'middle') =>
  `<text class="${kind}" x="${x}" y="${y}" text-anchor="${anchor}">${words}</text>`;

/** An arrow between two points on one line, open to both sides. */
function arrow(from, to, y, above, below) {
  const middle = (from + to) / 2;
  return [
    `<path class="line" d="M${from + 7} ${y} H${to - 7}"/>`,
    `<path class="tip" d="M${from} ${y} l10 -5 v10 z M${to} ${y} l-10 -5 v10 z"/>`,
    text('small', middle, y - 10, above),
    text('small', middle, y + 20, below)
  ];
}

/** The picture as the text of an SVG file. */
export function picture() {
  const parts = [
    box('back', 0, 0, WIDTH, HEIGHT),
    // The agent.
    box('agent', 20, 75, 130, 120),
    text('name', 85, 102, 'Agent'),
    ...['Claude Code', 'Codex', 'VS Code', 'Cursor'].map((name, row) =>
      text('small', 85, 125 + 18 * row, name)
    ),
    ...arrow(150, 236, 135, 'MCP', 'stdio'),
    // The bridge.
    box('box', 236, 95, 110, 80),
    text('name', 291, 125, 'Bridge'),
    text('small', 291, 146, 'a Node program'),
    text('small', 291, 162, 'for each agent'),
    ...arrow(346, 440, 135, 'WebSocket', 'Jupyter’s token'),
    // The server.
    box('box', 440, 75, 132, 120),
    text('name', 506, 102, 'Jupyter server'),
    box('agent', 464, 118, 84, 34),
    text('small', 506, 139, 'relay'),
    text('small', 506, 178, 'your kernels'),
    ...arrow(572, 646, 135, 'WebSocket', 'same origin'),
    // The tab, with a notebook in it.
    box('tab', 646, 25, 194, 220),
    '<path class="bar" d="M646 33 a8 8 0 0 1 8 -8 h178 a8 8 0 0 1 8 8 v14 h-194 z"/>',
    text('name', 743, 69, 'Your JupyterLab tab'),
    box('box', 662, 82, 162, 34),
    text('code', 672, 104, '[1]: data.mean()', 'start'),
    box('box', 662, 124, 162, 34),
    text('code', 672, 146, '[2]: what you type', 'start'),
    box('agent', 662, 166, 162, 34),
    text('code', 672, 188, '[3]: what it adds', 'start'),
    text('small', 743, 226, 'the tools live here')
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-labelledby="title">`,
    '<title id="title">An agent speaks MCP to the bridge; the bridge reaches the open JupyterLab tab through the relay in its Jupyter server.</title>',
    `<style>${STYLE}</style>`,
    ...parts,
    '</svg>',
    ''
  ].join('\n');
}
