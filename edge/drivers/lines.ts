// Shared lines: one user at a time has exclusive access.
import type { ChannelRow } from './driver.ts'
import { type LineUser, openSerial, type SharedLine, settingOf } from './serial.ts'
import { type Line, openTcp } from './tcp.ts'

/** `opening` receives the line while it is being opened, to cancel it. */
export type OpenLine = (user: LineUser, opening: (line: { close(): void }) => void) => Promise<SharedLine>

/** Timeout of a TCP connection, ms. */
const connectTimeoutMs = 3000

const owned = (line: Line): SharedLine => {
  let queue: Promise<unknown> = Promise.resolve()
  return {
    write: line.write,
    close: line.close,
    alone: (work) => {
      const turn = queue.then(work)
      queue = turn.catch(() => undefined)
      return turn
    },
  }
}

/** Opens the line of a channel: a serial port, a connection opened by the device, or a connection to the device. */
export const lineOf = ({ channel, dialled }: { channel: ChannelRow; dialled?: OpenLine | undefined }): OpenLine => {
  if (dialled) return dialled
  if (channel.CommType === 1) return (user) => openSerial(settingOf(channel), user)
  const target = { host: channel.Ip!, port: channel.Port!, timeoutMs: connectTimeoutMs }
  return async (user, opening) => owned(await openTcp({ ...target, ...user }, opening))
}
