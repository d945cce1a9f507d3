// The output of a start: a line per step, then a box.
import { passwordOfAdmin } from '../server/identity/setup.ts'
import type { Settings } from './settings.ts'
import type { Started } from './start.ts'

type Row = readonly [label: string, text: string]

export const printStep = (name: string, text: string) => console.log(`  ${name.padEnd(10)} ${text}`)

/** Prints the two slow steps of the first start in this process. */
export const printSteps = () => {
  const names = new Map([
    ['migrations', 'Database'],
    ['calls', 'Server'],
  ])
  let since = performance.now()
  return (step: string) => {
    const name = names.get(step)
    if (!name) return
    names.delete(step)
    printStep(name, `started in ${((performance.now() - since) / 1000).toFixed(1)} s`)
    since = performance.now()
  }
}

/** The console's URL on this machine. */
export const addressOf = ({ host, tlsCert }: Pick<Settings, 'host' | 'tlsCert'>, port: number) =>
  `${tlsCert ? 'https' : 'http'}://${host === '0.0.0.0' || host === '::' ? 'localhost' : host}:${port}`

const corners = (env: NodeJS.ProcessEnv) =>
  process.platform === 'win32' || /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '') ? '┌─┐│└┘' : '+-+|++'

/** Draws a frame if the terminal is wide enough, plain lines otherwise. */
export const boxed = (
  rows: readonly Row[],
  { isTTY, columns = 0 }: { isTTY?: boolean; columns?: number } = process.stdout,
  env = process.env,
) => {
  const width = Math.max(...rows.map(([label]) => label.length)) + 1
  const lines = rows.map(([label, text]) => (label ? `${label.padEnd(width)}${text}` : text))
  const inner = Math.max(...lines.map((line) => line.length))
  if (!isTTY || columns < inner + 4) return ['', ...lines, ''].join('\n')
  const [topLeft, flat, topRight, side, bottomLeft, bottomRight] = corners(env) as unknown as string[]
  const bar = flat!.repeat(inner + 2)
  const framed = lines.map((line) => `${side} ${line.padEnd(inner)} ${side}`)
  return ['', `${topLeft}${bar}${topRight}`, ...framed, `${bottomLeft}${bar}${bottomRight}`, ''].join('\n')
}

const openFirst = (demo: boolean): Row => ['Open first:', demo ? 'Home, then Live values and Alarms' : 'Home: it shows the first steps']
const lost: Row = ['Password lost:', 'npm run reset-password']

/** `account`: the state of the password of `admin`. */
const signIn = (account: { password: string } | 'oneTime' | 'own' | undefined): Row[] => {
  if (account === undefined) return [['Sign in:', 'with your own account']]
  if (account === 'own') return [['Sign in:', 'admin, with the password that you chose'], lost]
  if (account === 'oneTime') return [['Sign in:', 'admin, with the one-time password printed before'], lost]
  return [['First sign-in:', `admin / ${account.password}   (choose your own there)`]]
}

/** The box at the end of a start: URL, account and first steps. */
export const welcome = async (
  { port, mqttPort, tls, firstPassword, database }: Pick<Started, 'port' | 'mqttPort' | 'tls' | 'firstPassword' | 'database'>,
  settings: Settings,
) =>
  boxed([
    ['Penstock is ready:', addressOf(settings, port)],
    ...signIn(firstPassword ? { password: firstPassword } : await passwordOfAdmin(database)),
    openFirst(settings.demo),
    ['Gateways connect to:', settings.mqttUrl ? 'your broker' : `${tls ? 'mqtts' : 'mqtt'}://${settings.host}:${mqttPort}`],
    ['', 'Ctrl-C stops Penstock.'],
  ])

/** After `npm run reset-password`. */
export const newPassword = (at: { account: string; password: string; address: string; demo: boolean; isRunning: boolean }) =>
  boxed([
    ['Penstock:', at.isRunning ? at.address : `${at.address}   (after npm start)`],
    [`New password of ${at.account}:`, at.password],
    ['', 'It must be changed at the next sign-in, within seven days.'],
    openFirst(at.demo),
  ])
