/**
 * What each tool answers, for docs/tools.md. Field names only: the tests hold
 * the shapes themselves.
 */
const EDIT =
  '`{success, cellId, index, before, after, revision, changeId, saved, replaced}`: the ids of the neighbours, and what the cell held before';
const RUN =
  '`{success, status, executionCount, outputs, errorName, errorValue, traceback, error, queuedBehind}`; pending when it takes longer than the time-out';
const FILE = '`{success, filePath, revision, saved}`';

export const SHAPES = {
  get_context:
    '`{success, app {name, version}, fileBrowserPath, currentWidgetId, currentEditor {cellId, cursor, selection}, widgets [{type, id, title, path, dirty, kernel {id, name, status}, notebook {cellCount, activeCellIndex, activeCellId, activeCellType}}], kernels [{id, name, status}], dialogs, pending [{pendingId, tool, command, seconds}]}`.',
  list_all_commands:
    '`{success, commands, commandCount}`: ids without a query, else `{id, label, caption, args}`.',
  execute_command:
    '`{success, result}`: what the command returned, or what it is where it is no JSON.',
  answer_dialog:
    '`{success, answered {dialogId, button}}`; the result of the call that waited, with `answered`, when the dialog was one of its own.',
  wait_for_result:
    'the result of the call, in the shape of its own tool, or pending again.',
  open_document: '`{success, path, widgetId}`.',
  list_directory:
    '`{success, path, items [{name, path, type, size, lastModified}]}`.',
  read_file: '`{success, filePath, content, revision}`.',
  write_file: `${FILE}.`,
  create_file: `${FILE}.`,
  create_notebook: '`{success, notebookPath, kernel, saved}`.',
  read_notebook:
    '`{success, notebookPath, outline}`, or `{success, notebookPath, cells [{cellId, cellType, index, state, revision, source, outputs, executionCount}]}`.',
  read_cell:
    '`{success, notebookPath, cellId, cellType, index, state, revision, source, outputs, executionCount}`.',
  add_cell: `${EDIT}.`,
  edit_cell: `${EDIT}.`,
  delete_cell: `${EDIT}, in full.`,
  run_cell: `${RUN}.`,
  run_cells:
    '`{success, status, cells [{cellId, state, executionCount, errorName}], stoppedAt}`; pending when it takes longer than the time-out.',
  save_notebook: '`{success, notebookPath, saved}`.',
  run_code: `${RUN}.`,
  interrupt_kernel: '`{success, kernelId, message}`.',
  restart_kernel: '`{success, kernelId, message}`.',
  change_kernel:
    '`{success, notebookPath, kernel {id, name}}`, or `{success, kernels}`.',
  edit_notebook: '`{success, notebookPath, edits, revision, changeId, saved}`.',
  undo_changes: '`{success, undone, kept}`.',
  answer_input: 'the result of the call that asked, or pending again.',
  view_output:
    '`{success, kind, bytes, width, height, output}`, over MCP after the picture itself; `message` where it was drawn or scaled down, or the cell has more.',
  read_result:
    '`{success, resultId, field, text, range {offset, total}, nextRange}`.',
  search_files: '`{success, matches [{path, cellId, line, text}], count}`.',
  delete_file: '`{success, path}`.',
  trial_run: '`{success, cells [{cellId, outcome, seconds}]}`.'
};
