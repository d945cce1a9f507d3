// A small VNC server (RFC 6143) for tests. It shows one colour, records what it receives, and can be hostile in several ways.
import { createServer, type Socket } from 'node:net'
import { vncResponse } from '../areas/configuration/device-vnc/server/panelSide.ts'
import { reader } from '../areas/configuration/device-vnc/server/reading.ts'
import { freePort } from '../main/testing/freePort.ts'

type Options = {
  version?: '003.003' | '003.007' | '003.008'
  /** Asks for VNC authentication. */
  password?: string
  width?: number
  height?: number
  /** The first bytes instead of RFB. */
  greeting?: string
  /** Security types instead of those that fit the password. */
  security?: number[]
  /** Sent in response to the first request for a picture, instead of one. */
  picture?: Buffer
  mute?: 'always' | 'afterSignIn'
}
export type Panel = Awaited<ReturnType<typeof startPanel>>

export const bytes = (...parts: (number | [bits: 16 | 32, value: number])[]) =>
  Buffer.concat(
    parts.map((part) => {
      if (typeof part === 'number') return Buffer.of(part)
      const [bits, value] = part
      const made = Buffer.alloc(bits / 8)
      if (bits === 16) made.writeUInt16BE(value)
      else made.writeInt32BE(value | 0)
      return made
    }),
  )
/** The head of a picture with one rectangle. */
export const rectangle = (width: number, height: number, encoding: number) =>
  bytes(0, 0, [16, 1], [16, 0], [16, 0], [16, width], [16, height], [32, encoding])

const challenge = Buffer.from('0123456789abcdef')

export const startPanel = async ({ version = '003.008', password, width = 64, height = 32, ...options }: Options = {}) => {
  const received: Buffer[] = []
  const waiting = new Set<() => void>()
  const sockets = new Set<Socket>()
  let [colour, painted, shared] = [0x0000ff, 1, undefined as number | undefined]

  const picture = () => {
    const pixels = Buffer.alloc(width * height * 4)
    for (let at = 0; at < pixels.length; at += 4) pixels.writeUInt32LE(colour, at)
    return options.picture ?? Buffer.concat([rectangle(width, height, 0), pixels])
  }
  const signIn = function* (socket: Socket): Generator<number, boolean, Buffer> {
    socket.write(options.greeting ?? `RFB ${version}\n`)
    yield 12
    const types = options.security ?? [password === undefined ? 1 : 2]
    if (version === '003.003') socket.write(bytes([32, types[0]!]))
    else {
      socket.write(Buffer.of(types.length, ...types))
      if (!types.length) socket.write(Buffer.concat([bytes([32, 4]), Buffer.from('busy')]))
      yield 1
    }
    let isRight = true
    if (password !== undefined) {
      socket.write(challenge)
      isRight = (yield 16).equals(vncResponse(password, challenge))
    }
    if (password !== undefined || version === '003.008') socket.write(bytes([32, isRight ? 0 : 1]))
    if (!isRight && version === '003.008') socket.write(Buffer.concat([bytes([32, 13]), Buffer.from('not with that')]))
    return isRight
  }
  const serve = function* (socket: Socket): Generator<number, void, Buffer> {
    if (!(yield* signIn(socket))) return void socket.end()
    shared = (yield 1)[0]
    const format = [32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 0, 8, 16, 0, 0, 0]
    socket.write(Buffer.concat([bytes([16, width], [16, height], ...format, [32, 5]), Buffer.from('Panel')]))
    let shown = 0
    const show = () => {
      if (shown === painted || options.mute) return void waiting.add(show)
      waiting.delete(show)
      shown = painted
      socket.write(picture())
    }
    socket.on('close', () => waiting.delete(show))
    for (;;) {
      const type = yield 1
      const lengths: Record<number, number> = { 0: 19, 3: 9, 4: 7, 5: 5, 6: 7 }
      const rest = yield type[0] === 2 ? 3 : lengths[type[0]!]!
      const more = type[0] === 2 ? yield rest.readUInt16BE(1) * 4 : type[0] === 6 ? yield rest.readUInt32BE(3) : Buffer.alloc(0)
      received.push(Buffer.concat([type, rest, more]))
      if (type[0] !== 3) continue
      if (rest[0] === 0) shown = 0
      show()
    }
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    socket.setNoDelay(true)
    if (options.mute !== 'always') socket.on('data', reader(serve(socket)))
  })
  const port = await freePort()
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return {
    port,
    received,
    /** Messages of a type: 4 keys, 5 pointer, 6 clipboard. */
    of: (type: number) => received.filter((message) => message[0] === type),
    shared: () => shared,
    viewers: () => sockets.size,
    /** Fills the screen; pixels are 0xBBGGRR. */
    paint(next: number) {
      colour = next
      painted++
      for (const show of [...waiting]) show()
    },
    /** Closes every connection. */
    drop() {
      for (const socket of sockets) socket.destroy()
    },
    close: () =>
      new Promise<void>((done) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => done())
      }),
  }
}
