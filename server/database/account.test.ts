// Who PostgreSQL runs as, and that it starts wherever its folder and its programs lie. What this machine forbids is skipped by name.
import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packaged } from './embedded.ts'

const nobody = { uid: 65534, gid: 65534 }
const isRoot = process.getuid?.() === 0
const works = (program: string, args: string[], as = {}) => spawnSync(program, args, { stdio: 'ignore', ...as }).status === 0
const hasNamespaces = isRoot && works('unshare', ['--user', '--map-user=65534', '--map-group=65534', 'true'])
const capable = ['--reuid=65534', '--regid=65534', '--clear-groups', '--inh-caps=+dac_override', '--ambient-caps=+dac_override']
const hasCapability = isRoot && works('setpriv', [...capable, '--securebits=+no_setuid_fixup', 'true'])
const hasOrdinary = !isRoot || works('test', ['-x', process.execPath, '-a', '-r', import.meta.filename], nobody)

const base = mkdtempSync(join(tmpdir(), 'penstock-account-'))
const [open, closed] = [join(base, 'open'), join(base, 'closed')]
const bin = { open: join(open, 'native', 'bin'), closed: join(closed, 'native', 'bin') }
beforeAll(() => {
  chmodSync(base, 0o755)
  mkdirSync(open, { mode: 0o755 })
  mkdirSync(closed, { mode: 0o700 })
  expect(works('cp', ['-a', dirname(packaged()), open])).toBe(true)
  expect(works('cp', ['-al', join(open, 'native'), closed])).toBe(true)
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

const program = `
  import { readFileSync, readlinkSync } from 'node:fs'
  const [, at, folder, bin] = process.argv
  const { startPostgres } = await import(at)
  const { default: pg } = await import('pg')
  const postgres = await startPostgres({ folder, bin, log: console, settings: { fsync: 'off' } })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query('create table if not exists start (at timestamptz)')
  await client.query('insert into start values (now())')
  const { rows } = await client.query('select count(*)::int as starts from start')
  await client.end()
  const [pid] = readFileSync(folder + '/cluster/postmaster.pid', 'utf8').split('\\n')
  const uid = Number(/Uid:\\s+(\\d+)/.exec(readFileSync('/proc/' + pid + '/status', 'utf8'))[1])
  const apart = readlinkSync('/proc/' + pid + '/ns/user') !== readlinkSync('/proc/self/ns/user')
  await postgres.stop()
  console.log(JSON.stringify({ uid, apart, starts: rows[0].starts }))`
type Ran = { uid: number; apart: boolean; starts: number }
const embedded = join(import.meta.dirname, 'embedded.ts')
/** Starts PostgreSQL, writes a row, and stops. Returns the owner of the process, whether it ran in a user namespace, and the number of starts so far. */
const start = async (folder: string, programs = bin.open, { as = {}, through = [] as string[] } = {}): Promise<Ran> => {
  const [command, ...args] = [...through, process.execPath, '--input-type=module', '-e', program, embedded, folder, programs]
  const { stdout } = await promisify(execFile)(command!, args, { ...as, cwd: import.meta.dirname })
  return JSON.parse(stdout)
}

describe.runIf(isRoot)(isRoot ? 'as root' : 'skipped, as these tests do not run as root: as root', () => {
  const later = hasCapability
    ? ', and goes on so when the folder or the programs are closed'
    : ' (skipped, no setpriv: a folder closed later)'
  test(`in an open folder the cluster belongs to nobody${later}`, async () => {
    const folder = join(open, 'data', 'postgres')
    mkdirSync(dirname(folder), { mode: 0o755 })
    expect(await start(folder)).toEqual({ uid: nobody.uid, apart: false, starts: 1 })
    expect(await start(folder)).toEqual({ uid: nobody.uid, apart: false, starts: 2 })
    if (!hasCapability) return
    chmodSync(dirname(folder), 0o700)
    expect(await start(folder)).toEqual({ uid: nobody.uid, apart: false, starts: 3 })
    expect(await start(folder, bin.closed)).toEqual({ uid: nobody.uid, apart: false, starts: 4 })
  })

  test.runIf(hasNamespaces)(
    `${hasNamespaces ? '' : 'skipped, there are no user namespaces: '}in a closed folder the cluster belongs to root, and goes on so when the folder is open`,
    async () => {
      const folder = join(closed, 'data', 'postgres')
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      // A start of the version before ended here.
      chownSync(folder, nobody.uid, nobody.gid)
      mkdirSync(join(folder, 'cluster.new'))
      chownSync(join(folder, 'cluster.new'), nobody.uid, nobody.gid)
      expect(await start(folder, bin.closed)).toEqual({ uid: 0, apart: true, starts: 1 })
      expect([statSync(folder).uid, statSync(join(folder, 'cluster', 'PG_VERSION')).uid]).toEqual([0, 0])
      expect(await start(folder)).toEqual({ uid: 0, apart: true, starts: 2 })
      chmodSync(closed, 0o755)
      chmodSync(dirname(folder), 0o755)
      expect(await start(folder, bin.closed)).toEqual({ uid: 0, apart: true, starts: 3 })
      chmodSync(closed, 0o700)
    },
  )

  test.runIf(hasNamespaces)(
    `${hasNamespaces ? '' : 'skipped, there are no user namespaces: '}where neither works, one sentence says what to do`,
    async () => {
      const folder = join(closed, 'forbidden', 'postgres')
      const forbid = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"'
      const alone = ['unshare', '--user', '--map-root-user', 'sh', '-c', forbid, 'sh']
      const failed = await start(folder, bin.closed, { through: alone }).then(String, (e: Error) => e.message)
      expect(failed).toMatch(/start Penstock as another user, who owns both, or set DATABASE_URL to a PostgreSQL server, 15 or newer\./)
      expect(existsSync(join(folder, 'cluster'))).toBe(false)
    },
  )
})

const why = 'skipped, the programs of this checkout are closed to another user: '
describe.runIf(hasOrdinary)(`${hasOrdinary ? '' : why}as an ordinary user`, () => {
  const as = isRoot ? nobody : {}
  const uid = isRoot ? nobody.uid : process.getuid!()
  for (const [kind, mode] of Object.entries({ open: 0o755, closed: 0o700 }))
    test(`a new and an existing cluster in a folder of one's own that is ${kind}`, async () => {
      const home = join(base, `home-${kind}`)
      mkdirSync(home, { mode })
      if (isRoot) chownSync(home, uid, nobody.gid)
      const folder = join(home, 'data', 'postgres')
      expect(await start(folder, bin.open, { as })).toEqual({ uid, apart: false, starts: 1 })
      expect(await start(folder, bin.open, { as })).toEqual({ uid, apart: false, starts: 2 })
    })
})
