// A device that sends without end what looks like the beginning of a frame.
import { createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { lineOf } from '../../edge/drivers/lines.ts'
import { dlt645Layout, takeAnswer } from '../../edge/drivers/meters/frames.ts'
import { Questions } from '../../edge/drivers/questions.ts'
import { channelRow } from '../../edge/testing/rows.ts'

test('a flood is looked through for an answer as far as an answer may be long', async () => {
  const sockets = new Set<Socket>()
  const beginnings = Buffer.alloc(1024 * 1024, 0x68)
  const device = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    const send = () => {
      while (!socket.destroyed && socket.write(beginnings));
      socket.once('drain', send)
    }
    socket.once('data', send)
  })
  await new Promise<void>((listening) => device.listen(0, '127.0.0.1', listening))
  const address = device.address()
  const line = new Questions(lineOf({ channel: channelRow(typeof address === 'object' ? (address?.port ?? 0) : 0) }), () => undefined)
  await line.connect()
  const lengths: number[] = []
  const take = (received: Buffer) => {
    lengths.push(received.length)
    takeAnswer(dlt645Layout, received)
    return undefined
  }
  const asked = line.ask({ bytes: Buffer.of(1), meaning: 'question', who: 'the meter', timeoutMs: 5000, take })
  await expect(asked).rejects.toMatchObject({ kind: 'garbled' })
  expect(Math.max(...lengths)).toBeLessThanOrEqual(4096)
  line.close()
  for (const socket of sockets) socket.destroy()
  device.close()
})
