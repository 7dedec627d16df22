/** How the tab stands with the relay, as the status bar tells it. */
export type RelayState =
  /** Turned off in the settings. */
  | 'off'
  | 'connecting'
  | 'connected'
  /** This server has no relay. */
  | 'absent'
  /** The server does not let this person in. */
  | 'refused'
  /** The server cannot be reached; tried again. */
  | 'offline'
  | 'server-outdated'
  | 'page-outdated';
