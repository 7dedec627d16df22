import * as z from 'zod';
import type { IDescribedTool } from '../../protocol/listing';
import type { AnyTool } from './define';

type Schema = Record<string, unknown>;

/** What a schema may say (contract: Tools); clients and browsers refuse more. */
const KEYWORDS = new Set([
  'type',
  'properties',
  'required',
  'enum',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'items',
  'additionalProperties',
  'default',
  'description'
]);

/** Levels of objects and arrays below the arguments themselves. */
const DEPTH = 2;

/** A tool as it is listed. */
export function describeTool(tool: AnyTool): IDescribedTool {
  const { name, title, description, kind, scope, untrusted } = tool;
  const inputSchema = toInputSchema(tool);
  return { name, title, description, kind, scope, untrusted, inputSchema };
}

/**
 * The JSON Schema of a tool's arguments.
 * @throws Error when it says more than the contract allows: the tool is wrong.
 */
export function toInputSchema(tool: AnyTool): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(tool.input, { io: 'input' });
  const plain = simplify(schema, tool.name, 0);
  if (plain.type !== 'object' || plain.additionalProperties !== false) {
    throw new Error(`${tool.name}: the arguments must be a strict object`);
  }
  return plain;
}

/** Rewrites what zod writes in other words, and refuses the rest. */
function simplify(schema: unknown, where: string, depth: number): Schema {
  if (!isSchema(schema)) {
    throw new Error(`${where}: not a schema`);
  }
  const { anyOf, propertyNames: _, const: only, ...rest } = schema;
  const plain: Schema = { ...rest };
  if (only !== undefined) {
    plain.enum = [only];
  }
  if (Array.isArray(anyOf)) {
    // Of plain types: one schema with several types.
    const options = anyOf.map(option => simplify(option, where, depth));
    if (
      !options.every(({ type, ...more }) => {
        delete more.minimum;
        return typeof type === 'string' && Object.keys(more).length === 0;
      })
    ) {
      throw new Error(`${where}: only plain types can be joined`);
    }
    Object.assign(plain, ...options, { type: options.map(each => each.type) });
  }
  // zod's bounds of every integer say nothing.
  if (plain.minimum === Number.MIN_SAFE_INTEGER) {
    delete plain.minimum;
  }
  if (plain.maximum === Number.MAX_SAFE_INTEGER) {
    delete plain.maximum;
  }
  // Checked all the same; clients know no words for it.
  delete plain.minItems;
  delete plain.maxItems;
  for (const keyword of Object.keys(plain)) {
    if (!KEYWORDS.has(keyword)) {
      throw new Error(`${where}: "${keyword}" is not allowed in a schema`);
    }
  }
  if (isSchema(plain.properties)) {
    const inner = deeper(where, depth);
    plain.properties = Object.fromEntries(
      Object.entries(plain.properties).map(([name, value]) => [
        name,
        simplify(value, `${where}.${name}`, inner)
      ])
    );
  }
  if (isSchema(plain.items)) {
    plain.items = simplify(plain.items, `${where}[]`, depth);
  }
  if (isSchema(plain.additionalProperties)) {
    plain.additionalProperties =
      Object.keys(plain.additionalProperties).length === 0 ||
      simplify(plain.additionalProperties, `${where}.*`, deeper(where, depth));
  }
  return plain;
}

function deeper(where: string, depth: number): number {
  if (depth >= DEPTH) {
    throw new Error(`${where}: nested deeper than ${DEPTH} levels`);
  }
  return depth + 1;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
