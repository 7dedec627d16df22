import type { IReply } from './agent';
import { cell } from './notebooks';
import type { ISession } from './session';

/** A cell that prints a line every fifth of a second. */
export const TICKS = cell(
  'ticks',
  `import time
for i in range(200):
    print('tick', i, flush=True)
    time.sleep(0.2)`
);

/** Short names for what a spec file about runs in one notebook does. */
export function runsOf(session: ISession, notebook: string) {
  const call = (
    name: string,
    args: Record<string, unknown> = {}
  ): Promise<IReply> => session.agent.call(name, args);
  const wait = (reply: IReply): Promise<IReply> =>
    call('wait_for_result', { pendingId: reply.data.pendingId });

  async function kernelId(): Promise<string> {
    const panel = await session.tab.panel(notebook);
    return panel.evaluate(
      each => each.sessionContext.session?.kernel?.id ?? 'none'
    );
  }

  return {
    call,
    wait,
    kernelId,
    run: (cellId: string, notebookPath = notebook): Promise<IReply> =>
      call('run_cell', { notebookPath, cellId }),
    text: (reply: IReply): string => JSON.stringify(reply.structured),
    /** Runs code without a cell in the notebook's kernel. */
    code: async (source: string): Promise<IReply> =>
      call('run_code', { kernelId: await kernelId(), code: source }),
    /** Waits until a call is no longer pending, or is asked for input. */
    async ended(reply: IReply): Promise<IReply> {
      let last = reply;
      while (last.data.status === 'pending' && !last.data.input) {
        last = await wait(last);
      }
      return last;
    },
    /** Accepts what dialogs there are; their titles. */
    async closeDialogs(): Promise<string[]> {
      const { page } = session.tab;
      const titles: string[] = [];
      for (;;) {
        const dialog = page.locator('.jp-Dialog');
        if ((await dialog.count()) === 0) {
          return titles;
        }
        titles.push(await dialog.locator('.jp-Dialog-header').innerText());
        await dialog.locator('.jp-mod-accept').click();
        await dialog.waitFor({ state: 'detached' });
      }
    }
  };
}
