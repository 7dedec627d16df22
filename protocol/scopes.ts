/**
 * What a client may do (contract: Bridge, Scopes). `write` holds `read`,
 * `run` holds `write`; `admin` stands alone.
 */
export const SCOPES = ['read', 'write', 'run', 'admin'] as const;

export type Scope = (typeof SCOPES)[number];

const HELD: Record<Scope, readonly Scope[]> = {
  read: ['read'],
  write: ['read', 'write'],
  run: ['read', 'write', 'run'],
  admin: ['admin']
};

/** Whether a client that was granted `granted` may use a tool that needs `needed`. */
export function covers(granted: Scope, needed: Scope): boolean {
  return HELD[granted].includes(needed);
}

export function isScope(value: unknown): value is Scope {
  return SCOPES.some(scope => scope === value);
}
