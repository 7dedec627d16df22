import { readdirSync, readFileSync } from 'node:fs';

/** Processes of this machine: each one's parent and command line. */
function processes(): Map<number, { parent: number; command: string }> {
  const found = new Map<number, { parent: number; command: string }>();
  for (const name of readdirSync('/proc').filter(each => /^\d+$/.test(each))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      // The name before it can hold anything but ends in the last bracket.
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      found.set(Number(name), { parent: Number(parent), command });
    } catch {
      // It has ended meanwhile.
    }
  }
  return found;
}

/** A process and all that it and they have started. */
function family(pid: number): number[] {
  const all = [...processes()];
  const members = [pid];
  for (const member of members) {
    members.push(
      ...all.flatMap(([id, { parent }]) => (parent === member ? [id] : []))
    );
  }
  return members;
}

/** The families of this process's children whose command line matches. */
export function families(command: RegExp): number[] {
  return [...processes()]
    .filter(
      ([, child]) => child.parent === process.pid && command.test(child.command)
    )
    .flatMap(([pid]) => family(pid));
}
