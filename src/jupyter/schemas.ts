import { readCatalogue } from '../../protocol/catalogue';
import catalogue from '../../protocol/catalogue.json';

/** The JSON Schema of a tool's arguments, as it was described at build time. */
export function schemaOf(name: string): Readonly<Record<string, unknown>> {
  const tool = readCatalogue(catalogue).tools.find(each => each.name === name);
  return tool?.inputSchema ?? { type: 'object' };
}
