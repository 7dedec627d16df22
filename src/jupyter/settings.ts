import type { ISettingRegistry } from '@jupyterlab/settingregistry';
import { type ISignal, Signal } from '@lumino/signaling';
import type { ISettings } from '../calls/settings';
import { DEFAULT_SETTINGS } from '../calls/settings';
import type { IFault } from './readSettings';

/** The settings as they are now, whatever becomes of them. */
export interface ISettingsSource {
  readonly current: ISettings;
  /** What is wrong in what the person or a deployment set. */
  readonly faults: readonly IFault[];
  /** Told when either is another. */
  readonly changed: ISignal<ISettingsSource, void>;
}

/** Follows JupyterLab's settings; where they can't be read, nothing is written or run. */
export class SettingsSource implements ISettingsSource {
  get current(): ISettings {
    return this._current;
  }

  get faults(): readonly IFault[] {
    return this._faults;
  }

  get changed(): ISignal<this, void> {
    return this._changed;
  }

  /** Takes up what the registry holds, now and whenever it changes. */
  async load(registry: ISettingRegistry | null, id: string): Promise<void> {
    try {
      if (!registry) {
        throw new Error('There is no setting registry');
      }
      const { followSettings } = await import('./followSettings');
      await followSettings(registry, id, (settings, faults) =>
        this._set(settings, faults)
      );
    } catch (reason) {
      console.error('The settings could not be read.', reason);
      this._set({ ...DEFAULT_SETTINGS, readOnly: true }, [{ name: null }]);
    }
  }

  private _set(current: ISettings, faults: readonly IFault[]): void {
    const before = JSON.stringify([this._current, this._faults]);
    this._current = current;
    this._faults = faults;
    if (JSON.stringify([current, faults]) !== before) {
      this._changed.emit();
    }
  }

  private _current: ISettings = DEFAULT_SETTINGS;
  private _faults: readonly IFault[] = [];
  private readonly _changed = new Signal<this, void>(this);
}
