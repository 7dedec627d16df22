import * as z from 'zod';
import { ToolError } from '../calls/errors';
import { list, quote } from '../calls/words';
import { defineTool, type AnyTool } from './define';

const kernelId = z.string().min(1).max(200);

export const interruptKernel = defineTool({
  name: 'interrupt_kernel',
  title: 'Interrupt kernel',
  kind: 'run',
  description:
    'Stops the code that a kernel runs, as the stop button does; variables stay. The stopped call then ends with KeyboardInterrupt. Kernels that know no interrupts (Pyodide) need restart_kernel.',
  scope: 'run',
  untrusted: false,
  input: z.strictObject({ kernelId }),
  handler: async ({ kernelId: id }, { caller, context }) => {
    const mayBegin = await context.kernels.interrupt(id, caller.client);
    const more = mayBegin
      ? ' A run that it had not begun yet is not stopped by that: should it begin after all, interrupt again.'
      : '';
    return {
      success: true,
      kernelId: id,
      message: `The kernel was interrupted.${more}`
    };
  }
});

export const restartKernel = defineTool({
  name: 'restart_kernel',
  title: 'Restart kernel',
  kind: 'destroy',
  description:
    'Restarts a kernel and waits until it answers. Its variables are lost, and whatever it runs or has queued ends.',
  scope: 'run',
  untrusted: false,
  input: z.strictObject({ kernelId }),
  handler: async ({ kernelId: id }, { context }) => {
    await context.kernels.restart(id);
    return {
      success: true,
      kernelId: id,
      message: 'The kernel was restarted. Its variables are gone.'
    };
  }
});

export const changeKernel = defineTool({
  name: 'change_kernel',
  title: 'Change kernel',
  kind: 'destroy',
  description:
    'Gives a notebook a fresh kernel of the kind named and waits until it answers; the one it had is shut down with its variables. Without kernelName: lists the kinds there are.',
  scope: 'run',
  untrusted: false,
  input: z.strictObject({
    notebookPath: z.string(),
    kernelName: z.string().min(1).max(200).optional()
  }),
  handler: async ({ notebookPath, kernelName }, { context }) => {
    const { kernels, notebooks, runs } = context;
    const kernelNames = await kernels.specs();
    if (kernelName === undefined) {
      const { path, kernel } = await notebooks.read(notebookPath);
      return { success: true, notebookPath: path, kernel, kernelNames };
    }
    if (!kernelNames.includes(kernelName)) {
      throw new ToolError(
        'not_found',
        `There is no kernel ${quote(kernelName)}. ` +
          (kernelNames.length > 0
            ? `There are: ${list(kernelNames, 20)}.`
            : 'No kernels are installed on this server.')
      );
    }
    const notebook = await notebooks.acquire(notebookPath);
    await runs.changeKernel(notebook, kernelName);
    return {
      success: true,
      notebookPath: notebook.path,
      kernel: notebook.kernel
    };
  }
});

export const kernelTools: readonly AnyTool[] = [
  changeKernel,
  interruptKernel,
  restartKernel
];
