// A thread with a panel that sends small tiles without end, and viewers that take all of it.
import { createServer } from 'node:net'
import { parentPort } from 'node:worker_threads'
import WebSocket from 'ws'
import { bytes, rectangle } from './rfb-panel.ts'

const tiles = Buffer.concat([rectangle(1024, 1024, 5), Buffer.alloc(64 * 64)])
const init = Buffer.concat([bytes([16, 1024], [16, 1024]), Buffer.alloc(20)])
const panel = createServer((socket) => {
  let answered = 0
  const pour = () => {
    while (socket.write(tiles));
  }
  socket.on('error', () => {}).on('drain', pour)
  socket.write('RFB 003.008\n')
  socket.on('data', () => {
    if (++answered > 3) return
    socket.write([bytes(1, 1), bytes([32, 0]), init][answered - 1]!)
    if (answered === 3) pour()
  })
})
panel.listen(0, '127.0.0.1', () => parentPort!.postMessage((panel.address() as { port: number }).port))

parentPort!.on('message', (addresses: string[]) => {
  let flooded = 0
  for (const address of addresses) {
    const socket = new WebSocket(address)
    let heard = 0
    socket
      .on('error', () => {})
      .on('message', (_, isBinary) => {
        if (!isBinary) return
        heard++
        if (heard <= 3) socket.send([Buffer.from('RFB 003.008\n'), Buffer.of(1), Buffer.of(1)][heard - 1]!)
        if (heard === 20 && ++flooded === addresses.length) parentPort!.postMessage('flooded')
      })
  }
})
