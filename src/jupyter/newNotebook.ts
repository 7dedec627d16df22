import type { Contents, KernelSpec } from '@jupyterlab/services';
import { ToolError } from '../calls/errors';
import { list, quote } from '../calls/words';

/**
 * The kernel for a language (or of that name), the default one without.
 * undefined where none is installed. Throws not_found for a language that no
 * kernel speaks.
 */
export function chooseSpec(
  specs: KernelSpec.ISpecModels | null,
  language: string | undefined
): KernelSpec.ISpecModel | undefined {
  const all = Object.values(specs?.kernelspecs ?? {}).filter(
    spec => spec !== undefined
  );
  const standard = all.find(({ name }) => name === specs?.default);
  if (language === undefined) {
    return standard;
  }
  const wanted = language.toLowerCase();
  const speaks = (spec: KernelSpec.ISpecModel): boolean =>
    [spec.language, spec.name, spec.display_name].some(
      each => each.toLowerCase() === wanted
    );
  const found =
    standard && speaks(standard) ? standard : all.find(each => speaks(each));
  if (!found) {
    const languages = [...new Set(all.map(spec => spec.language))];
    throw new ToolError(
      'not_found',
      `No kernel here speaks ${quote(language)}. ` +
        (languages.length > 0
          ? `There are kernels for: ${list(languages, 20)}.`
          : 'No kernels are installed on this server.')
    );
  }
  return found;
}

/**
 * A notebook for a kernel, with one empty cell: JupyterLab puts one into a
 * notebook that has none as soon as it is opened.
 */
export function emptyNotebook(
  spec: KernelSpec.ISpecModel | undefined,
  cellId: string
): Partial<Contents.IModel> {
  const metadata = spec && {
    kernelspec: {
      display_name: spec.display_name,
      language: spec.language,
      name: spec.name
    },
    language_info: { name: spec.language }
  };
  return {
    type: 'notebook',
    format: 'json',
    content: {
      cells: [
        {
          cell_type: 'code',
          id: cellId,
          source: '',
          metadata: {},
          outputs: [],
          execution_count: null
        }
      ],
      metadata: metadata ?? {},
      nbformat: 4,
      nbformat_minor: 5
    }
  };
}
