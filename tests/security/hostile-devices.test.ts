// A device that sends without end what looks like the beginning of a frame.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lineOf } from '../../edge/drivers/lines.ts'
import { dlt645Layout, takeAnswer } from '../../edge/drivers/meters/frames.ts'
import { Questions } from '../../edge/drivers/questions.ts'
import { triedPort } from '../../edge/drivers/serial.ts'
import { isSerialPort } from '../../edge/drivers/serialPaths.ts'
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

test('a path that is no serial port is not opened: neither a file, a pipe, another device, nor a share of Windows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-paths-'))
  const [file, pipe, link] = ['file', 'pipe', 'link'].map((name) => join(folder, name)) as [string, string, string]
  writeFileSync(file, '')
  execFileSync('mkfifo', [pipe])
  symlinkSync('/dev/null', link)
  for (const path of [file, pipe, link, '/dev/null', '/dev/zero', folder]) expect(await triedPort(path)).toBe(`${path} is no serial port`)
  expect(await triedPort(join(folder, 'none'))).not.toContain('is no serial port')
  rmSync(folder, { recursive: true })
  const windows = ['COM3', '\\\\.\\COM12', '\\\\stranger\\share', 'UNC\\stranger\\share', 'PhysicalDrive0', 'C:\\file', 'COM1/../x']
  expect(await Promise.all(windows.map((path) => isSerialPort(path, 'win32')))).toEqual([true, true, false, false, false, false, false])
})
