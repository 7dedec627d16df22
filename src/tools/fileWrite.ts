import { ToolError } from '../calls/errors';
import { applyReplacements, type IReplacement } from '../calls/textEdits';
import type { Data, ICaller } from '../calls/types';
import { quote } from '../calls/words';
import type { ITextFile } from '../jupyter/types';
import { firstOf } from '../results/index';
import type { IToolContext } from './context';
import { fileRevision, verifyFile } from './fileRevisions';
import { refuseMark } from './marks';
import { standing } from './warnings';

/** Characters of the replaced text that an answer repeats. */
const REPLACED = 300;

interface IWriteArguments {
  readonly filePath: string;
  readonly content?: string | undefined;
  readonly replacements?: readonly IReplacement[] | undefined;
  readonly revision?: string | undefined;
}

/**
 * Writes a file as `write_file` is asked to, and answers as it does; nobody
 * else of this tab may write it meanwhile.
 */
export async function writeText(
  {
    filePath: asked,
    content,
    replacements: parts,
    revision: given
  }: IWriteArguments,
  caller: ICaller,
  context: IToolContext
): Promise<Data> {
  const known = await readExisting(asked, context);
  if (known) {
    checkFileRevision(known, given, caller, context);
  } else {
    context.contents.assertNotRenamed(asked);
    if (given !== undefined) {
      throw new ToolError(
        'stale_revision',
        `There is no file at ${quote(asked)} any more, so nothing was written. list_directory shows whether it lies elsewhere; leave revision out only to make a new one.`
      );
    }
  }
  const before = known?.text ?? null;
  const text = newText(asked, before, content, parts);
  if (text === before) {
    throw new ToolError(
      'validation_failed',
      `${quote(asked)} holds exactly that text already, so nothing was changed.`
    );
  }
  refuseMark(before ?? '', text, context);
  const now = await context.contents.write(asked, text, before);
  const changeId = context.changes.record(caller.client, {
    kind: 'write',
    filePath: now.path,
    before,
    after: now.text
  });
  const isGone = !now.saved && known?.disk === 'gone';
  return {
    success: true,
    filePath: now.path,
    created: before === null,
    revision: fileRevision(now.path, now.text, context),
    changeId,
    saved: now.saved,
    ...standing({ ...now, disk: isGone ? 'gone' : now.disk }),
    ...replaced(before, context)
  };
}

function checkFileRevision(
  file: ITextFile,
  given: string | undefined,
  caller: ICaller,
  context: IToolContext
): void {
  if (given !== undefined) {
    verifyFile(file, context, given);
  } else if (caller.demandsRevisions) {
    throw new ToolError(
      'validation_failed',
      `revision is missing. ${quote(file.path)} exists: read it first (read_file) and pass the revision on that it returns, so that nobody's text is overwritten unseen.`
    );
  }
}

/** The file as it is, or undefined where there is none. */
async function readExisting(
  file: string,
  { contents }: IToolContext
): Promise<ITextFile | undefined> {
  if (!(await contents.exists(file))) {
    return undefined;
  }
  return contents.read(file).catch((reason: unknown) => {
    throw reason instanceof ToolError && reason.code === 'unsupported_type'
      ? new ToolError(
          'read_only_type',
          `${quote(file)} is not text (UTF-8), and is not overwritten with text.`
        )
      : reason;
  });
}

function replaced(before: string | null, { redact }: IToolContext): Data {
  if (before === null) {
    return {};
  }
  const { text, total } = firstOf(before, REPLACED, redact);
  return { replaced: text, replacedCharacters: total };
}

function newText(
  file: string,
  before: string | null,
  content: string | undefined,
  parts: readonly IReplacement[] | undefined
): string {
  if (content !== undefined && parts === undefined) {
    return content;
  }
  if (parts !== undefined && content === undefined) {
    if (before === null) {
      throw new ToolError(
        'not_found',
        `There is no file at ${quote(file)} to replace parts of. Give its content to make it.`
      );
    }
    return applyReplacements(before, parts);
  }
  throw new ToolError(
    'validation_failed',
    'Give either content (the whole new text) or replacements (parts of it), one of the two.'
  );
}
