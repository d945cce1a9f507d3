// What the commands of package.json share. Runs on any Node >= 20, before anything is installed: only Node's own modules here.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Runs a program to its end; answers its exit code, 128 and more for a signal's. `began` has the process before it starts others. */
export const run = (program, args, options = {}, began = () => {}) =>
  new Promise((done, failed) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', ...options })
    if (child.pid) began(child)
    child.once('error', failed)
    child.once('exit', (code, signal) => done(code ?? (signal === 'SIGINT' ? 130 : 143)))
  })

/** Runs a program and prints its output only if it fails. */
const runQuietly = async (program, args, options = {}) => {
  let printed = ''
  const code = await run(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }, (child) => {
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text))
  })
  return { code, printed }
}

/** Prints one line per start step, with elapsed seconds on a terminal. Returns the exit code. */
export const step = async (name, texts, ...command) => {
  const began = Date.now()
  const line = (text) => `  ${name.padEnd(10)} ${text}`
  const seconds = () => Math.round((Date.now() - began) / 1000)
  console.log(line(`${texts.doing} ...`))
  const again = (text) => process.stdout.write(`\x1b[1A\r\x1b[K${line(text)}\n`)
  const timer = process.stdout.isTTY ? setInterval(() => again(`${texts.doing} ... ${seconds()} s`), 1000) : undefined
  const { code, printed } = await runQuietly(...command).finally(() => clearInterval(timer))
  const done = code === 0 ? `${texts.done} in ${seconds()} s` : 'failed'
  if (process.stdout.isTTY) again(done)
  else console.log(line(done))
  if (code !== 0) console.error(printed)
  return code
}

const packages = (file) => JSON.parse(readFileSync(join(root, file), 'utf8')).packages

/** Whether node_modules holds what package-lock.json names; what is optional may be missing, but not of another version. */
const isInstalled = () => {
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) return false
  const present = packages('node_modules/.package-lock.json')
  return Object.entries(packages('package-lock.json'))
    .filter(([path, wanted]) => path.includes('node_modules/') && !wanted.link)
    .every(([path, wanted]) => (present[path] ? present[path].version === wanted.version : wanted.optional || wanted.devOptional))
}

/** Installs exactly what package-lock.json names when it is not there; no package's script runs. In production, deployment installs. */
export const install = async () => {
  if (process.env.NODE_ENV === 'production' || isInstalled()) return
  // Not `npm ci`: it refuses a lock file that was made where a registry has not every platform's packages.
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = process.env.npm_execpath
  const command = npm?.endsWith('.js') ? [process.execPath, [npm, ...args]] : ['npm', args, { shell: process.platform === 'win32' }]
  const code = await step('Packages', { doing: 'being installed, about a minute the first time', done: 'installed' }, ...command)
  if (code !== 0) throw new Error('npm could not install the packages; its message is above.')
}

/** The Node that runs TypeScript as it is: the one from npm, else this one when it is new enough. */
export const newNode = () => {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const packaged = join(root, 'node_modules', `node-${platform}-${process.arch}`, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(packaged)) return packaged
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath
  throw new Error(`There is no packaged Node for ${platform}-${process.arch}; install Node 24 (22.18 at least) and start again with it.`)
}

/**
 * Without `__proto__` no request can name a prototype by it. Prototypes are frozen too (contract/prototypes.ts), as `constructor.prototype`
 * leads there as well; that comes only after the start.
 */
const noProto = '--disable-proto=delete'

/**
 * Runs one of our programs in the foreground under the new Node. It has a process group of its own, so that Ctrl-C reaches it
 * once, through us; it sees us gone by the channel that closes.
 */
export const runOurs = async (file, args = process.argv.slice(2), stdin = 'ignore', flags = []) => {
  const child = spawn(newNode(), [noProto, ...flags, join(root, file), ...args], {
    cwd: root,
    detached: process.platform !== 'win32' && stdin === 'ignore',
    stdio: [stdin, 'inherit', 'inherit', 'ipc'],
  })
  let told = false
  const tell = (signal) => {
    if (!told) child.kill(signal)
    told = true
  }
  process.on('SIGINT', () => tell('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => tell('SIGTERM'))
  // npm passes SIGTERM to a shell that dies of it without a word to us: all we see is another parent.
  const parent = process.ppid
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && tell('SIGTERM'), 500).unref()
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('exit', (code, signal) => done(code ?? (signal === 'SIGINT' ? 130 : 143)))
  })
}

/** The oldest Node that runs these files. The packaged Node runs everything else. */
export const nodeProblem = (version) =>
  Number(version.split('.')[0]) >= 20
    ? undefined
    : `Penstock needs Node 20 or newer, and this is ${version}: install a newer one from https://nodejs.org and start again.`

/** Ends the process with the work's exit code, or with a plain message instead of a stack. */
export const main = async (work) => {
  try {
    const problem = nodeProblem(process.versions.node)
    if (problem) throw new Error(problem)
    process.exitCode = await work()
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
