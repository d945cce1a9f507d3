import { connect, type Socket } from 'node:net'
import { DriverFault } from './driver.ts'
import { hearPaced } from './paced.ts'

export type Line = { write(bytes: Buffer): void; close(): void }
type Options = { host: string; port: number; timeoutMs: number; received(bytes: Buffer): void; lost(why: string): void }

/** A TCP connection. `lost` is called once, unless we close it. `opened` is called before it is connected, so that it can be aborted. */
export const openTcp = ({ host, port, timeoutMs, received, lost }: Options, opened: (line: Line) => void): Promise<Line> =>
  new Promise((resolve, reject) => {
    const socket: Socket = connect({ host, port, noDelay: true, keepAlive: true })
    let isOpen = false
    let isClosed = false
    const end = (why: string) => {
      clearTimeout(timer)
      socket.destroy()
      if (isClosed) return
      isClosed = true
      if (isOpen) lost(why)
      else reject(new DriverFault('down', `${host}:${port}: ${why}`))
    }
    const timer = setTimeout(() => end(`no connection within ${timeoutMs} ms`), timeoutMs)
    const line: Line = {
      write: (bytes) => void socket.write(bytes),
      close: () => {
        if (!isOpen) return end('closed')
        isClosed = true
        clearTimeout(timer)
        socket.destroy()
      },
    }
    socket.on('error', (error) => end(error.message))
    socket.on('close', () => end('the device closed the connection'))
    hearPaced(socket, (bytes) => {
      if (!isClosed) received(bytes)
    })
    socket.once('connect', () => {
      clearTimeout(timer)
      isOpen = true
      resolve(line)
    })
    opened(line)
  })
