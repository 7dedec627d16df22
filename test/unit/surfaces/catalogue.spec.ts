import { readFileSync } from 'fs';
import path from 'path';
import { readCatalogue } from '../../../protocol/catalogue';
import { listTool } from '../../../protocol/listing';
import { INSTRUCTIONS } from '../../../src/surfaces/instructions';
import { TOOLS } from '../../../src/tools';
import { describeTool } from '../../../src/tools/schema';

const ROOT = path.join(__dirname, '../../..');
const read = (file: string): unknown =>
  JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));

/** What R's users know (contract: Tools). */
const KNOWN = [
  'get_context',
  'list_all_commands',
  'execute_command',
  'answer_dialog',
  'wait_for_result',
  'open_document',
  'list_directory',
  'read_file',
  'write_file',
  'create_file',
  'create_notebook',
  'read_notebook',
  'read_cell',
  'add_cell',
  'edit_cell',
  'delete_cell',
  'run_cell',
  'save_notebook',
  'run_code',
  'interrupt_kernel',
  'restart_kernel'
];

const described = TOOLS.filter(({ toolset }) => !toolset).map(describeTool);
const listed = described.map(listTool);

describe('the generated files', () => {
  it('are those of the table: run `npm run generate` after a change', () => {
    expect(readCatalogue(read('protocol/catalogue.json'))).toEqual({
      instructions: INSTRUCTIONS,
      tools: described
    });
    expect(read('test/golden/tools.json')).toEqual({
      characters: JSON.stringify(listed).length,
      tools: listed
    });
    const own = TOOLS.filter(tool => !('command' in tool && tool.command));
    expect(read('src/generated/commands.json')).toEqual(
      own.map(({ name, title }) => ({
        id: `mcp-bridge:${name.replaceAll('_', '-')}`,
        name,
        title
      }))
    );
  });
});

describe('the listing', () => {
  it('is at most 15,000 characters for the known tools, 24,000 for all', () => {
    const known = listed.filter(({ name }) => KNOWN.includes(name));
    expect(known.map(({ name }) => name)).toEqual([...KNOWN].sort());
    expect(JSON.stringify(known).length).toBeLessThanOrEqual(15000);
    expect(JSON.stringify(listed).length).toBeLessThanOrEqual(24000);
  });
});
