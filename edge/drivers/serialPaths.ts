// Checks that a path is a serial port before it is opened. Opening other devices does harm: a watchdog resets the machine, and a
// Windows share reveals our credentials to a stranger.
import { readlink, realpath, stat } from 'node:fs/promises'
import { basename } from 'node:path'

const ofWindows = /^(\\\\\.\\)?(COM|CNC[AB])\d{1,3}$/i
/** For systems that do not report device types. */
const usual = /^\/dev\/(tty|cu\.|rfcomm)/

/** The Linux class of a character device: `tty`, `misc`, `watchdog`. Pseudo-terminals have none. */
const classOf = async (device: number): Promise<string | undefined> => {
  const [major, minor] = [(device >> 8) & 0xfff, (device & 0xff) | ((device >> 12) & 0xfff00)]
  return readlink(`/sys/dev/char/${major}:${minor}/subsystem`).then(basename, () => undefined)
}

/** True also for missing paths: opening reports the error. */
export const isSerialPort = async (path: string, platform = process.platform): Promise<boolean> => {
  if (platform === 'win32') return ofWindows.test(path)
  const real = await realpath(path).catch(() => undefined)
  if (real === undefined) return true
  const found = await stat(real).catch(() => undefined)
  if (!found?.isCharacterDevice()) return found === undefined
  const kind = real.startsWith('/dev/pts/') ? 'tty' : await classOf(found.rdev)
  return kind === undefined ? usual.test(real) : kind === 'tty'
}
