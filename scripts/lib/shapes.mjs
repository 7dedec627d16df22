/**
 * What each tool answers, for docs/tools.md. Field names only: the tests hold
 * the shapes themselves.
 */
const NOTEBOOK =
  'notebookPath, open, dirty, kernel {id, name, status}, kernelStatus, diskChanged';
const CELL =
  'cellId, index, cellType, source, state, executionCount, outputs, revision';
const EDIT =
  'success, notebookPath, cellId, index, before, after, revision, changeId, saved';
const EDIT_NOTE =
  '`before` and `after` are the ids of the neighbours; `saved` is whether the file holds it already';
const RUN =
  '`{success, status, executionCount, outputs, notebookPath, cellId, index, revision}`, of code that raised with `errorName, errorValue, traceback, error`; `queuedBehind` when the kernel was busy with the work of somebody else; pending when it takes longer than the time-out or asks for input.';
const CODE =
  '`{success, status, executionCount, outputs, kernelId}`, of code that raised with `errorName, errorValue, traceback, error`; `queuedBehind` when the kernel was busy with the work of somebody else; pending when it takes longer than the time-out or asks for input.';

export const SHAPES = {
  get_context:
    '`{success, app {name, version}, fileBrowserPath, currentWidgetId, currentEditor {cellId, cursor, selection}, widgets [{type, id, title, path, dirty, kernel {id, name, status}, notebook {cellCount, activeCellIndex, activeCellId, activeCellType, selectedCellIds}}], kernels [{id, name, status}], runs [{notebookPath, cellId, state, startedBy}, of code that is in no cell {kernelId, state, startedBy}], dialogs, pending [{pendingId, tool, command, seconds}]}`.',
  list_all_commands:
    '`{success, commands, commandCount}`: ids without a query, else `{id, label, caption, args}`.',
  execute_command:
    '`{success, result}`: what the command returned, or what it is where it is no JSON.',
  answer_dialog:
    '`{success, answered {dialogId, button}}`; the result of the call that waited, with `answered`, when the dialog was one of its own.',
  wait_for_result:
    'the result of the call, in the shape of its own tool, or pending again.',
  open_document: '`{success, path, widgetId, activated}`.',
  list_directory:
    '`{success, path, count, items [{name, type, size, lastModified}]}`.',
  read_file:
    '`{success, filePath, open, dirty, revision, content}`, where it is open in an editor with `diskChanged`.',
  write_file:
    '`{success, filePath, created, revision, changeId, saved, replaced, replacedCharacters}`: the first 300 characters of what it replaced.',
  create_file: '`{success, filePath, revision, changeId, saved}`.',
  create_notebook:
    '`{success, notebookPath, kernelName, cellId, revision}`: `cellId` and `revision` are of its one empty cell.',
  read_notebook: `\`{success, ${NOTEBOOK}, revision, cellCount, cells [{${CELL}}]}\`, or with \`outline\` in place of \`cells\`: one line a cell.`,
  read_cell: `\`{success, ${NOTEBOOK}, ${CELL}, outputsMayBeMissing}\`.`,
  add_cell: `\`{${EDIT}}\`: ${EDIT_NOTE}.`,
  edit_cell: `\`{${EDIT}, replaced}\`: ${EDIT_NOTE}, \`replaced\` the first 300 characters of what it was.`,
  delete_cell: `\`{${EDIT}, cellType, replaced, metadata}\`: ${EDIT_NOTE}, \`replaced\` all that it was.`,
  run_cell: RUN,
  run_cells:
    '`{success, status, error, stoppedAt, counts, notebookPath, cells [{cellId, state, executionCount, outputs}]}`, of a cell that raised with its error fields, and `expected: true` where it is tagged as one that does; pending when it takes longer than the time-out or asks for input.',
  save_notebook: '`{success, notebookPath, saved}`.',
  run_code: CODE,
  interrupt_kernel: '`{success, kernelId, message}`.',
  restart_kernel: '`{success, kernelId, message}`.',
  change_kernel:
    '`{success, notebookPath, kernel {id, name, status}, kernelNames}`: with a name the new kernel, without one what there is to choose.',
  answer_input: 'the result of the call that asked, or pending again.',
  view_output:
    '`{success, kind, bytes, width, height, output}`, over MCP after the picture itself; `message` where it was drawn or scaled down, or the cell has more.',
  read_result:
    '`{success, resultId, field, text, range {offset, total}, nextRange}`.'
};
