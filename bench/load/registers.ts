// Modbus TCP devices with 65,536 holding registers that change with every answer.
import { createServer } from 'node:net'
import { serveJobs } from './job.ts'

serveJobs(async ({ devices }: { devices: number }) => {
  const ports: number[] = []
  for (let i = 0; i < devices; i++) {
    let answered = 0
    const server = createServer((socket) => {
      socket.setNoDelay(true)
      socket.on('error', () => socket.destroy())
      socket.on('data', (request) => {
        // One request at a time: neither side of this bench sends another before the answer.
        const count = request.readUInt16BE(10)
        const reply = Buffer.alloc(9 + count * 2)
        request.copy(reply, 0, 0, 8)
        reply.writeUInt16BE(3 + count * 2, 4)
        reply[8] = count * 2
        answered++
        for (let at = 9; at < reply.length; at += 2) reply.writeUInt16BE((answered + at) & 0xffff, at)
        socket.write(reply)
      })
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    ports.push((server.address() as { port: number }).port)
  }
  return { ports }
})
