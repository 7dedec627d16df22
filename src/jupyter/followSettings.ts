import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import type { PartialJSONObject } from '@lumino/coreutils';
import type { ISettings } from '../calls/settings';
import { isRecord } from '../../protocol/values';
import { type IFault, readSettings } from './readSettings';

/**
 * Tells the settings of a plugin, and what is wrong with them, now and
 * whenever they change. The registry would reject all of them for one that is
 * invalid, so they are mended before it looks.
 */
export async function followSettings(
  registry: ISettingRegistry,
  id: string,
  tell: (settings: ISettings, faults: readonly IFault[]) => void
): Promise<void> {
  let mended: readonly IFault[] = [];
  registry.transform(id, {
    fetch: plugin => {
      const found = mend(plugin, registry);
      mended = found.faults;
      return found.plugin;
    }
  });
  const loaded = await registry.load(id);
  const changed = (): void => {
    const { settings, faults } = readSettings(loaded.composite);
    const known = mended.map(({ name }) => name);
    const others = faults.filter(({ name }) => !known.includes(name));
    tell(settings, [...mended, ...others]);
  };
  loaded.changed.connect(changed);
  changed();
}

/** The plugin as the registry can take it, and what was mended. */
function mend(
  plugin: ISettingRegistry.IPlugin,
  registry: ISettingRegistry
): { plugin: ISettingRegistry.IPlugin; faults: readonly IFault[] } {
  const properties = plugin.schema.properties ?? {};
  const deployed = readSettings(
    Object.fromEntries(
      Object.entries(properties).map(([name, each]) => [name, each.default])
    )
  );
  const user = parse(plugin.raw, registry);
  const own = user ?? { readOnly: true };
  const given = readSettings(own, deployed.settings);
  const wrong = user ? given.faults : [{ name: null }];
  return {
    plugin: {
      ...plugin,
      raw: wrong.length === 0 ? plugin.raw : textOf(given.settings, own),
      schema:
        deployed.faults.length === 0
          ? plugin.schema
          : { ...plugin.schema, properties: withDefaults(properties, deployed) }
    },
    faults: [
      ...wrong,
      ...deployed.faults.filter(({ name }) => !Object.hasOwn(own, name ?? ''))
    ]
  };
}

/** Settings as their text: those of them that were given. */
function textOf(settings: ISettings, given: object): string {
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(settings).filter(([name]) => Object.hasOwn(given, name))
    ),
    undefined,
    4
  );
}

function withDefaults(
  properties: Properties,
  { settings }: { readonly settings: ISettings }
): Properties {
  const defaults: PartialJSONObject = JSON.parse(JSON.stringify(settings));
  return Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [
      name,
      name in defaults ? { ...each, default: defaults[name] } : each
    ])
  );
}

type Properties = NonNullable<ISettingRegistry.ISchema['properties']>;

/** No plugin's: only text is read under it, with a schema that takes all. */
const TEXT = 'jupyterlab-mcp-bridge-extension:text';

/** The person's settings from their text, with JupyterLab's own parser. */
function parse(
  raw: string,
  registry: ISettingRegistry
): Readonly<Record<string, unknown>> | null {
  const plugin: ISettingRegistry.IPlugin = {
    id: TEXT,
    raw,
    data: { composite: {}, user: {} },
    schema: { type: 'object' },
    version: ''
  };
  try {
    const found: unknown = JSON.parse(raw);
    return isRecord(found) ? found : null;
  } catch {
    // Most likely it has comments.
  }
  try {
    const errors = registry.validator.validateData(plugin);
    return errors ? null : plugin.data.user;
  } catch {
    return null;
  }
}
