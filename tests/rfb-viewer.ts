// A viewer as a program writes one: signs in without a password, asks for raw pictures, and sends exactly what a test gives it.
import WebSocket from 'ws'
import { panelSocketPath, type ViewerMessage } from '../areas/configuration/device-vnc/contract.ts'
import { reader } from '../areas/configuration/device-vnc/server/reading.ts'
import { bytes } from './rfb-panel.ts'

type State = Extract<ViewerMessage, { Viewers: unknown }>
export type RfbViewer = ReturnType<typeof openViewer>

export const request = (isIncremental: boolean) => bytes(3, isIncremental ? 1 : 0, [16, 0], [16, 0], [16, 0xffff], [16, 0xffff])
export const key = (keysym: number, isDown: boolean) => bytes(4, isDown ? 1 : 0, [16, 0], [32, keysym])
export const pointer = (buttons: number) => bytes(5, buttons, [16, 3], [16, 4])
export const clipboard = (text: string) => Buffer.concat([bytes(6, 0, 0, 0, [32, text.length]), Buffer.from(text)])
export const trueColour = Buffer.from([0, 0, 0, 0, 32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 0, 8, 16, 0, 0, 0])
export const encodings = (...list: number[]) => bytes(2, 0, [16, list.length], ...list.map((e): [32, number] => [32, e]))

/** Signs in without a password, asks for raw pictures, and keeps the latest one. `read` takes what the server sends. */
export const followScreen = (send: (message: Buffer) => void) => {
  let version = ''
  let [width, height, securities, pictures, name] = [0, 0, [] as number[], 0, '']
  let pixels = Buffer.alloc(0)
  const read = reader(
    (function* () {
      version = (yield 12).toString('latin1')
      send(Buffer.from('RFB 003.008\n'))
      securities = [...(yield (yield 1)[0]!)]
      send(Buffer.of(1))
      yield 4
      send(Buffer.of(1))
      const init = yield 24
      ;[width, height] = [init.readUInt16BE(0), init.readUInt16BE(2)]
      name = (yield init.readUInt32BE(20)).toString()
      pixels = Buffer.alloc(width * height * 4)
      send(Buffer.concat([trueColour, encodings(0), request(false)]))
      for (;;) {
        const head = yield 4
        if (head[0] !== 0) throw new Error(`The viewer knows no message ${head[0]}.`)
        for (let n = head.readUInt16BE(2); n > 0; n--) {
          const rect = yield 12
          const [left, top, wide, high] = [0, 2, 4, 6].map((at) => rect.readUInt16BE(at)) as [number, number, number, number]
          for (let row = top; row < top + high; row++) (yield wide * 4).copy(pixels, (row * width + left) * 4)
        }
        pictures++
        send(request(true))
      }
    })(),
  )
  return {
    read,
    version: () => version,
    securities: () => securities,
    pictures: () => pictures,
    title: () => name,
    /** 0xBBGGRR */
    pixel: (x: number, y: number) => (pixels.length ? pixels.readUInt32LE((y * width + x) * 4) & 0xffffff : undefined),
    size: () => [width, height],
  }
}

/** `origin` is that of the console. */
export const openViewer = (origin: string, ticket: string, headers: Record<string, string> = {}) => {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}${panelSocketPath}?ticket=${ticket}`, { headers })
  const states: State[] = []
  let [ended, status, closed] = [undefined as Extract<ViewerMessage, { Ended: unknown }> | undefined, 0, false]
  const send = (message: Buffer | string) => socket.send(message)
  const { read, ...screen } = followScreen(send)
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) return void read(data)
    const message = JSON.parse(String(data)) as ViewerMessage
    if ('Ended' in message) ended = message
    else states.push(message)
  })
  socket.on('unexpected-response', (_, answer) => {
    status = answer.statusCode ?? 0
    closed = true
    answer.destroy()
  })
  socket.on('close', () => {
    closed = true
  })
  socket.on('error', () => {})

  return {
    socket,
    send,
    control: (Control: boolean) => send(JSON.stringify({ Control })),
    state: () => states.at(-1),
    ended: () => ended,
    status: () => status,
    closed: () => closed,
    ...screen,
    close: () => socket.terminate(),
  }
}
