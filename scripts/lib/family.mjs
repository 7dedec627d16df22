import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

/**
 * All processes as {pid, parent, born}; `born` tells a process from a later
 * one that was given the same number.
 */
function processes() {
  if (process.platform === 'linux') {
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .flatMap(name => {
        try {
          const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
          // The name, in parentheses, may hold spaces and parentheses.
          const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
          return [
            { pid: Number(name), parent: Number(fields[1]), born: fields[19] }
          ];
        } catch {
          return [];
        }
      });
  }
  const listing = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,lstart='], {
    encoding: 'utf8'
  });
  return (listing.stdout ?? '').split('\n').flatMap(line => {
    const match = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line);
    return match
      ? [{ pid: Number(match[1]), parent: Number(match[2]), born: match[3] }]
      : [];
  });
}

/** Every process below `pid`, children of children included. */
export function family(pid) {
  const all = processes();
  const found = [];
  let parents = new Set([pid]);
  while (parents.size > 0) {
    const children = all.filter(one => parents.has(one.parent));
    found.push(...children);
    parents = new Set(children.map(one => one.pid));
  }
  return found;
}

/** Ends those of the noted processes that still run. */
export function endFamily(members) {
  const alive = new Map(processes().map(one => [one.pid, one.born]));
  for (const { pid, born } of members) {
    if (alive.get(pid) === born) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended meanwhile.
      }
    }
  }
}
