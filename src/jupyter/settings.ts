import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import { type ISignal, Signal } from '@lumino/signaling';
import type { ICommandTool, ISettings } from '../calls/settings';
import { DEFAULT_SETTINGS } from '../calls/settings';
import { isRecord } from '../../protocol/values';

/** The settings as they are now, whatever becomes of them. */
export interface ISettingsSource {
  readonly current: ISettings;
  readonly changed: ISignal<ISettingsSource, void>;
}

/** Follows JupyterLab's settings; without a registry the defaults hold. */
export class SettingsSource implements ISettingsSource {
  get current(): ISettings {
    return this._current;
  }

  get changed(): ISignal<this, void> {
    return this._changed;
  }

  /** Takes up what the registry holds, now and whenever it changes. */
  async load(registry: ISettingRegistry | null, id: string): Promise<void> {
    if (registry) {
      try {
        this._follow(await registry.load(id));
      } catch (reason) {
        console.error('The settings could not be read; defaults hold.', reason);
      }
    }
  }

  dispose(): void {
    Signal.clearData(this);
  }

  private _follow(settings: ISettingRegistry.ISettings): void {
    settings.changed.connect(this._onChanged, this);
    this._onChanged(settings);
  }

  private _onChanged(settings: ISettingRegistry.ISettings): void {
    const next = readSettings(settings.composite);
    if (JSON.stringify(next) !== JSON.stringify(this._current)) {
      this._current = next;
      this._changed.emit();
    }
  }

  private _current: ISettings = DEFAULT_SETTINGS;
  private readonly _changed = new Signal<this, void>(this);
}

/**
 * Settings from what the registry holds. What is missing or of the wrong kind
 * takes its default, numbers are brought into their range: a deployment's
 * overrides are not validated by JupyterLab.
 */
export function readSettings(
  raw: Readonly<Record<string, unknown>>
): ISettings {
  const standard = DEFAULT_SETTINGS;
  const numberOf = (
    name: 'executionTimeout' | 'maxResultLength' | 'readCap' | 'imageCap',
    least: number,
    most: number
  ): number => {
    const value = raw[name];
    return typeof value === 'number' && Number.isFinite(value)
      ? Math.min(most, Math.max(least, value))
      : standard[name];
  };
  const booleanOf = (name: 'readOnly' | 'bridge'): boolean => {
    const value = raw[name];
    return typeof value === 'boolean' ? value : standard[name];
  };
  const stringsOf = (
    name: 'toolsets' | 'disabledTools' | 'blockedCommands'
  ): readonly string[] => {
    const value = raw[name];
    return Array.isArray(value) ? value.filter(isString) : standard[name];
  };
  return {
    executionTimeout: numberOf('executionTimeout', 1, 45),
    maxResultLength: Math.floor(numberOf('maxResultLength', 1000, 1e7)),
    readCap: Math.floor(numberOf('readCap', 4000, 2e6)),
    imageCap: Math.floor(numberOf('imageCap', 1024, 2 * 1024 * 1024)),
    toolsets: stringsOf('toolsets'),
    disabledTools: stringsOf('disabledTools'),
    blockedCommands: stringsOf('blockedCommands'),
    tools: listOf(raw.tools, readTool),
    readOnly: booleanOf('readOnly'),
    bridge: booleanOf('bridge'),
    webmcp:
      raw.webmcp === 'off' || raw.webmcp === 'read' || raw.webmcp === 'all'
        ? raw.webmcp
        : standard.webmcp,
    postMessageOrigins: listOf(raw.postMessageOrigins, readOrigin)
  };
}

function readTool(value: unknown): ICommandTool | undefined {
  if (!isRecord(value)) {
    return undefined;
  }
  const { name, description, command, args } = value;
  return isString(name) &&
    /^[a-z][a-z0-9_]{0,39}$/.test(name) &&
    isString(description) &&
    description !== '' &&
    isString(command) &&
    command !== ''
    ? { name, description, command, ...(isRecord(args) ? { args } : {}) }
    : undefined;
}

function readOrigin(
  value: unknown
): ISettings['postMessageOrigins'][number] | undefined {
  if (!isRecord(value) || !isString(value.origin)) {
    return undefined;
  }
  const { origin, scope } = value;
  // Exact origins only: 'null', '*' and addresses with a path never match one.
  return URL.canParse(origin) && new URL(origin).origin === origin
    ? { origin, scope: scope === 'write' || scope === 'run' ? scope : 'read' }
    : undefined;
}

function listOf<T>(
  value: unknown,
  read: (value: unknown) => T | undefined
): readonly T[] {
  return Array.isArray(value)
    ? value.map(read).filter((each): each is T => each !== undefined)
    : [];
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
