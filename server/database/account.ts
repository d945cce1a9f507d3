// PostgreSQL refuses to run as root. Started as root, it gets an account that owns its cluster and reaches its programs.
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

type Owner = { uid: number; gid: number }
type Way = {
  owner: Owner
  /** Runs a program; empty where `spawn` itself changes the account. */
  through: string[]
  /** What the account must be able to enter or run without our help. */
  reaches: string[]
}

/** `nobody` on every Linux. initdb wants an account that exists. */
const nobody: Owner = { uid: 65534, gid: 65534 }

const reaches = ({ owner, through, reaches }: Way) => {
  const [program, ...args] = [...through, 'test', ...reaches.flatMap((path, i) => [...(i ? ['-a'] : []), '-x', path])]
  return spawnSync(program!, args, { stdio: 'ignore', ...(through.length ? {} : owner) }).status === 0
}

/**
 * An existing cluster keeps its owner. A new one belongs to `nobody`, or to root when `nobody` cannot reach the folder or the programs.
 * Files of root are served from a user namespace, where root has another number and no rights.
 */
const waysFor = (folder: string, postgres: string): Way[] => {
  const cluster = join(folder, 'cluster')
  const isNew = !existsSync(cluster)
  const { uid, gid } = statSync(isNew ? folder : cluster)
  const other = uid === 0 ? nobody : { uid, gid }
  const namespace: Way = {
    owner: { uid: 0, gid: 0 },
    through: ['unshare', '--user', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`],
    reaches: [postgres],
  }
  if (!isNew && uid === 0) return [namespace]
  // The account keeps one capability, which opens closed folders.
  const capable = ['setpriv', `--reuid=${other.uid}`, `--regid=${other.gid}`, '--clear-groups', '--inh-caps=+dac_override']
  capable.push('--ambient-caps=+dac_override')
  return [
    { owner: other, through: [], reaches: [dirname(folder), postgres] },
    ...(isNew ? [namespace] : []),
    { owner: other, through: capable, reaches: [postgres] },
    // access(2), by which PostgreSQL looks for its programs, ignores that capability without this bit.
    { owner: other, through: [...capable, '--securebits=+no_setuid_fixup'], reaches: [postgres] },
  ]
}

/** How to run PostgreSQL's programs. `own` gives a file to their account. */
export const accountFor = (folder: string, bin: string) => {
  const plain = (program: string, args: string[]): [string, string[]] => [join(bin, program), args]
  if (process.getuid?.() !== 0) return { command: plain, as: {}, own: () => {} }
  const way = waysFor(folder, join(bin, 'postgres')).find(reaches)
  if (!way)
    throw new Error(
      `PostgreSQL does not run as root, and this machine lets neither another account nor a user namespace use ${bin} and ${folder}: ` +
        'start Penstock as another user, who owns both, or set DATABASE_URL to a PostgreSQL server, 15 or newer.',
    )
  const { owner, through } = way
  const own = (path: string) => {
    if (statSync(path).uid !== owner.uid) chownSync(path, owner.uid, owner.gid)
  }
  own(folder)
  const [first, ...rest] = through
  return first
    ? { command: (program: string, args: string[]): [string, string[]] => [first, [...rest, join(bin, program), ...args]], as: {}, own }
    : { command: plain, as: owner, own }
}
