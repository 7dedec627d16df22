import prettier from 'prettier';

/**
 * docs/results.md: its prose is written by hand, its examples and the table
 * of codes stand between comments and are filled in here.
 *
 *   <!-- example NAME STEP SURFACE --> … <!-- end -->
 *   <!-- codes --> … <!-- end -->
 *
 * @param text - the page as it is.
 * @param examples - the golden results by name.
 * @param codes - the source of protocol/codes.ts.
 */
export async function resultsPage(text, { examples, codes }) {
  const page = text.replace(
    /<!-- (example [^>]*|codes) -->\n[\s\S]*?<!-- end -->/g,
    (_, what) => {
      const body =
        what === 'codes' ? codeTable(codes) : example(what, examples);
      return `<!-- ${what} -->\n\n${body}\n\n<!-- end -->`;
    }
  );
  const style = await prettier.resolveConfig(import.meta.filename);
  return prettier.format(page, { ...style, parser: 'markdown' });
}

function example(what, examples) {
  const [, name, number, surface] = what.split(' ');
  const step = examples[name]?.[Number(number)];
  const shown = step?.[surface];
  if (!shown) {
    throw new Error(`docs/results.md: there is no golden result for "${what}"`);
  }
  const json =
    surface === 'mcp'
      ? JSON.stringify(shown.structuredContent)
      : JSON.stringify(shown);
  return [
    `\`${step.tool} ${JSON.stringify(step.arguments)}\``,
    '',
    '```json',
    JSON.stringify(JSON.parse(json), null, 2),
    '```'
  ].join('\n');
}

/** From the doc comment of each code. */
function codeTable(source) {
  const rows = [
    ...source.matchAll(/\/\*\* ([^*]+?) \*\/\s+(\w+): (true|false)/g)
  ].map(
    ([, meaning, code, retry]) =>
      `| \`${code}\` | ${retry === 'true' ? 'yes' : 'no'} | ${meaning.replaceAll('|', '\\|')} |`
  );
  const all = [...source.matchAll(/^ {2}(\w+): (?:true|false)/gm)];
  if (all.length !== rows.length) {
    throw new Error('protocol/codes.ts: a code has no doc comment in one line');
  }
  return ['| Code | Retry | When |', '| --- | --- | --- |', ...rows].join('\n');
}
