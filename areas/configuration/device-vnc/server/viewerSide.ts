// The browser's half of RFB 3.8: no password, and only messages that a viewer may send.
import { mayAskFor, type Screen } from './panelSide.ts'
import { Ended, type Reading } from './reading.ts'

const most = { encodings: 256, clipboard: 64 * 1024 }
const version = 'RFB 003.008\n'

/** 32 bits a pixel, as the lengths of the panel's rectangles assume. */
const isTrueColour = (format: Buffer) => format[0] === 32 && format[1] === 24 && format[3] === 1

const screenMessage = ({ width, height }: Screen, name: string) => {
  const title = Buffer.from(name)
  const head = Buffer.alloc(24)
  head.writeUInt16BE(width, 0)
  head.writeUInt16BE(height, 2)
  // Little-endian, red lowest: the format that noVNC requests.
  Buffer.from([32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 0, 8, 16, 0, 0, 0]).copy(head, 4)
  head.writeUInt32BE(title.length, 20)
  return Buffer.concat([head, title])
}

/** SetEncodings, reduced to the encodings that the panel's reader supports. */
const askFor = (list: Buffer) => {
  const known = Array.from({ length: list.length / 4 }, (_, i) => list.subarray(i * 4, i * 4 + 4)).filter((e) => mayAskFor(e.readInt32BE()))
  const head = Buffer.from([2, 0, 0, 0])
  head.writeUInt16BE(known.length, 2)
  return Buffer.concat([head, ...known])
}

export type Viewing = {
  screen: Screen
  /** Shown as the name of the desktop, instead of the panel's. */
  name: string
  send: (bytes: Buffer) => void
  forward: (bytes: Buffer) => void
  /** A key, pointer or clipboard message: dropped without control. */
  input: (message: Buffer) => void
  /** Called for each message; throws Ended above a limit. */
  count: () => void
}

/** Reads a browser's messages. Messages other than the six of RFC 6143 end the session: they could restart or resize a panel. */
export function* viewing({ screen, name, send, forward, input, count }: Viewing): Reading {
  send(Buffer.from(version))
  if (!/^RFB 003\.\d{3}\n$/.test((yield 12).toString('latin1'))) throw new Ended('malformed')
  send(Buffer.of(1, 1))
  if ((yield 1)[0] !== 1) throw new Ended('malformed')
  send(Buffer.alloc(4))
  yield -1
  send(screenMessage(screen, name))
  for (let formatted = false; ; ) {
    const type = yield 1
    count()
    const rest = function* (length: number): Reading<Buffer> {
      return Buffer.concat([type, yield length])
    }
    switch (type[0]) {
      case 0: {
        const message = yield* rest(19)
        if (!isTrueColour(message.subarray(4))) throw new Ended('malformed')
        formatted = true
        forward(message)
        break
      }
      case 2: {
        const count = (yield 3).readUInt16BE(1)
        if (count > most.encodings) throw new Ended('malformed')
        forward(askFor(yield count * 4))
        break
      }
      case 3:
        if (!formatted) throw new Ended('malformed')
        forward(yield* rest(9))
        break
      case 4:
        input(yield* rest(7))
        break
      case 5:
        input(yield* rest(5))
        break
      case 6: {
        const head = yield* rest(7)
        const length = head.readUInt32BE(4)
        if (length > most.clipboard) throw new Ended('malformed')
        input(Buffer.concat([head, yield length]))
        break
      }
      default:
        throw new Ended('malformed')
    }
  }
}
