// A serial port. Channels with the same port and settings share it: one channel uses the line at a time.
import { readdirSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChannelRow } from './driver.ts'
import { DriverFault } from './driver.ts'
import { isSerialPort } from './serialPaths.ts'

export type Setting = { path: string; baudRate: number; dataBits: 7 | 8; stopBits: 1 | 2; parity: 'none' | 'odd' | 'even' }
export const settingOf = ({ SerialPort, BaudRate, DataBits, StopBits, Parity }: ChannelRow): Setting => ({
  path: SerialPort ?? '',
  baudRate: BaudRate ?? 9600,
  dataBits: DataBits === 7 ? 7 : 8,
  stopBits: StopBits === 2 ? 2 : 1,
  parity: Parity === 1 ? 'odd' : Parity === 2 ? 'even' : 'none',
})

/** ms of silence between two frames: 3.5 characters of 11 bits, and 1.75 ms from 19,200 Bd on (MODBUS over Serial Line V1.02, 2.5.1.1). */
/** Maximum wait for a line that never goes silent, ms. */
const longestWait = 1000
export const silenceOf = (baudRate: number) => (baudRate >= 19_200 ? 1.75 : (3.5 * 11 * 1000) / baudRate)

export type LineUser = { received(bytes: Buffer): void; lost(why: string): void }
/** A line with several users. */
export type SharedLine = {
  write(bytes: Buffer): void
  close(): void
  /** Runs a task with exclusive access to the line. */
  alone<T>(work: () => Promise<T>): Promise<T>
}
type Port = { write(bytes: Buffer): void; close(): Promise<void> }
type Shared = {
  setting: Setting
  port: Promise<Port>
  users: Set<LineUser>
  holder: LineUser | undefined
  queue: Promise<unknown>
  lastByte: number
}

const shared = new Map<string, Shared>()

/** Opens the port with the native driver, which is only loaded here. */
const openPort = async (setting: Setting, of: () => Shared | undefined): Promise<Port> => {
  if (!(await isSerialPort(setting.path))) throw new DriverFault('down', `${setting.path} is no serial port`)
  const [{ autoDetect }, { SerialPortStream }] = await Promise.all([import('@serialport/bindings-cpp'), import('@serialport/stream')])
  const stream = new SerialPortStream({ binding: autoDetect(), ...setting, autoOpen: false })
  await new Promise<void>((resolve, reject) => stream.open((error) => (error ? reject(new DriverFault('down', error.message)) : resolve())))
  const lost = (why: string) => {
    const own = of()
    if (!own) return
    shared.delete(setting.path)
    for (const user of [...own.users]) user.lost(why)
  }
  stream.on('data', (bytes: Buffer) => {
    const own = of()
    if (!own) return
    own.lastByte = performance.now()
    own.holder?.received(bytes)
  })
  stream.on('error', (error) => lost(error.message))
  stream.on('close', () => lost('the port was closed'))
  return {
    write: (bytes) => void stream.write(bytes),
    close: () =>
      new Promise((resolve) => {
        if (!stream.isOpen) return resolve()
        stream.close(() => resolve())
      }),
  }
}

const isSame = (a: Setting, b: Setting) =>
  a.baudRate === b.baudRate && a.dataBits === b.dataBits && a.stopBits === b.stopBits && a.parity === b.parity

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Joins the channels of a port and keeps silence between frames. @throws DriverFault down if missing, busy, forbidden, or open with other settings */
export const openSerial = async (setting: Setting, user: LineUser): Promise<SharedLine> => {
  let own = shared.get(setting.path)
  if (own && !isSame(own.setting, setting)) throw new DriverFault('down', `${setting.path} is in use with another setting`)
  if (!own) {
    const made: Shared = {
      ...{ setting, users: new Set(), holder: undefined, queue: Promise.resolve(), lastByte: 0 },
      port: openPort(setting, () => (shared.get(setting.path) === made ? made : undefined)),
    }
    own = made
    shared.set(setting.path, made)
  }
  const line = own
  line.users.add(user)
  const leave = () => {
    line.users.delete(user)
    if (line.holder === user) line.holder = undefined
    if (line.users.size || shared.get(setting.path) !== line) return
    shared.delete(setting.path)
    void line.port.then((port) => port.close()).catch(() => undefined)
  }
  let port: Port
  try {
    port = await line.port
  } catch (error) {
    leave()
    shared.delete(setting.path)
    throw error instanceof DriverFault ? error : new DriverFault('down', (error as Error).message)
  }
  return {
    write: (bytes) => {
      line.lastByte = performance.now()
      port.write(bytes)
    },
    close: leave,
    alone: (work) => {
      const turn = line.queue.then(async () => {
        // Timers have millisecond resolution and may fire one early.
        const rest = () => line.lastByte + silenceOf(setting.baudRate) - performance.now()
        // On a line that never goes silent, the request is sent anyway: it times out, and the channel reports it.
        const until = performance.now() + longestWait
        while (rest() > 0 && performance.now() < until) await pause(rest())
        line.holder = user
        try {
          return await work()
        } finally {
          if (line.holder === user) line.holder = undefined
        }
      })
      line.queue = turn.catch(() => undefined)
      return turn
    },
  }
}

/** Number of open ports. */
export const openPorts = () => shared.size

/** Why a port cannot be opened; undefined for a port in use by us. */
export const triedPort = async (path: string): Promise<string | undefined> => {
  if (shared.has(path)) return undefined
  try {
    const line = await openSerial(
      { path, baudRate: 9600, dataBits: 8, stopBits: 1, parity: 'none' },
      { received: () => {}, lost: () => {} },
    )
    line.close()
  } catch (error) {
    return (error as Error).message
  }
}

/** Why a channel of this port cannot run: the port is missing or access is denied. Windows reports that only on opening. */
export const missingPort = async ({ CommType, SerialPort }: ChannelRow): Promise<string | undefined> => {
  if (CommType !== 1 || process.platform === 'win32') return undefined
  return access(SerialPort ?? '', constants.R_OK | constants.W_OK).then(
    () => undefined,
    (error: Error) => `serial port ${SerialPort}: ${error.message}`,
  )
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
/** Available ports, by names that stay stable across sockets if the system has such names. */
export const serialPorts = (): string[] => {
  const byId = namesIn('/dev/serial/by-id').map((name) => join('/dev/serial/by-id', name))
  const plain = namesIn('/dev').filter((name) => /^tty(USB|ACM|AMA|mxc|XRUSB)\d+$/.test(name))
  return (byId.length ? byId : plain.map((name) => join('/dev', name))).filter((path) => path.length < 190)
}
