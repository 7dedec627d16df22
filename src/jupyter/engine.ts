import type { IDescribedTool } from '../../protocol/listing';
import { Changes } from '../surfaces/changes';
import type { IEngine } from '../surfaces/types';
import type { IBridgePage } from '../tokens';
import type { IServices } from './services';

/** Puts the parts together that surfaces call. */
export async function createEngine(
  page: IBridgePage,
  services: IServices
): Promise<IEngine> {
  const { app } = services;
  const tools: IDescribedTool[] = [
    {
      name: 'get_context',
      title: 'Get context',
      description: 'What is open.',
      kind: 'read',
      scope: 'read',
      untrusted: true,
      inputSchema: { type: 'object', properties: {} }
    }
  ];
  return {
    get settings() {
      return page.settings.current;
    },
    clock: page.clock,
    tools: () => tools,
    toolsChanged: new Changes(),
    stateChanged: new Changes(),
    call: async () => ({
      kind: 'done',
      data: { success: true, app: { name: app.name, version: app.version } }
    }),
    describe: () => ({ notebooks: [], kernels: [], dialogs: [], pending: [] })
  };
}
