// What a hostile panel, or a hostile browser, can do to the server.

import { once } from 'node:events'
import { createServer } from 'node:net'
import { Worker } from 'node:worker_threads'
import { beforeAll, describe, expect, it } from 'vitest'
import { panelSocketPath } from '../../areas/configuration/device-vnc/contract.ts'
import { until } from '../house.ts'
import { panelHouse } from '../panel-house.ts'
import { bytes, rectangle } from '../rfb-panel.ts'
import type { RfbViewer } from '../rfb-viewer.ts'
import { encodings, openViewer, pointer, request } from '../rfb-viewer.ts'

const { at, panel, add, record, ticket, open, shown, operate, endOf, settled } = panelHouse()

/** They take ten seconds to end; the other tests run beside them. */
const mute: RfbViewer[] = []
beforeAll(async () => {
  for (const when of ['always', 'afterSignIn'] as const) {
    const { Id } = await record(await panel({ mute: when }))
    mute.push(openViewer(at.house.origin, await ticket(Id, at.house.admin)))
  }
})

describe('hostile panels and browsers', () => {
  const huge = rectangle(23_170, 23_170, 0)
  it.each([
    ['speaks no RFB', { greeting: 'SSH-2.0-OpenSSH_9.2\r\n' }, 'noRfb'],
    ['offers only TLS', { security: [19] }, 'security'],
    ['asks for a password that nobody entered', { password: 'unknown' }, 'passwordMissing'],
    ['is busy', { security: [] }, 'refused'],
    ['sends a rectangle of 2 GB', { picture: huge }, 'tooLarge'],
    ['sends a compressed rectangle of 2 GB', { picture: Buffer.concat([rectangle(64, 32, 16), bytes([32, 0x7fffffff])]) }, 'tooLarge'],
    ['sends an encoding that nobody asked for', { picture: rectangle(64, 32, 50) }, 'noRfb'],
    ['puts 2 GB on the clipboard', { picture: bytes(3, 0, 0, 0, [32, 0x7fffffff]) }, 'tooLarge'],
    ['grows to a screen of 4 gigapixels', { picture: rectangle(65_535, 65_535, -223) }, 'tooLarge'],
    ['sends a message that does not exist', { picture: bytes(77) }, 'noRfb'],
  ] as const)('a panel that %s ends with the reason', async (_, options, reason) => {
    const screen = await panel(options as never)
    const one = await open((await record(screen)).Id)
    expect(await endOf(one)).toMatchObject({ Ended: reason })
    await until('the panel to be left', () => screen.viewers() === 0)
  })

  it('a port that is closed, and a panel that hangs up, end with the reason', async () => {
    const gone = await panel()
    await gone.close()
    expect(await endOf(await open((await record(gone)).Id))).toEqual({ Ended: 'unreachable' })
    const screen = await panel()
    const one = await shown((await record(screen)).Id)
    screen.drop()
    expect(await endOf(one)).toEqual({ Ended: 'closed' })
  })

  it('a browser that does not read stops the panel, and costs bounded memory', async () => {
    let written = 0
    const picture = Buffer.concat([rectangle(64, 32, 0), Buffer.alloc(64 * 32 * 4)])
    const flood = createServer((socket) => {
      socket.on('error', () => {})
      socket.write('RFB 003.003\n')
      socket.write(bytes([32, 1]))
      const init = bytes([16, 64], [16, 32], ...[32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 0, 8, 16, 0, 0, 0], [32, 0])
      let isAsked = false
      const pour = () => {
        while (!socket.destroyed && written < 400 * 1024 * 1024) {
          written += picture.length
          if (!socket.write(picture)) return void socket.once('drain', pour)
        }
      }
      socket.on('data', (data) => {
        if (data.length === 13 || data.length === 1) socket.write(init)
        else if (data.includes(request(false)) && !isAsked) {
          isAsked = true
          pour()
        }
      })
    })
    await new Promise<void>((done) => flood.listen(0, '127.0.0.1', done))
    const { Id } = await add({ Port: (flood.address() as { port: number }).port })
    const one = await shown(Id)
    one.socket.pause()
    await until('the flood to stop', async () => {
      const before = written
      await new Promise((done) => setTimeout(done, 300))
      return written > 0 && written === before
    })
    // Buffers of the kernel on both connections take some megabytes.
    expect(written).toBeLessThan(60 * 1024 * 1024)
    one.socket.resume()
    const read = one.pictures()
    await until('the flood to go on', () => one.pictures() > read + 5000)
    one.close()
    flood.close()
  })

  it('a viewer that floods is slowed down, and one that declares a giant clipboard is cut', async () => {
    const screen = await panel()
    const { Id } = await record(screen)
    const one = await operate(Id)
    for (let i = 0; i < 30_000; i++) one.send(pointer(0))
    const two = await shown(Id, at.viewer)
    await settled(two, screen)
    // At the limit, the rest of the flood takes another ten seconds.
    expect(screen.of(5).length).toBeLessThan(20_000)
    two.send(bytes(6, 0, 0, 0, [32, 0x7fffffff]))
    expect(await endOf(two)).toEqual({ Ended: 'malformed' })
  })

  it('a viewer that packs thousands of messages into one is cut', async () => {
    const screen = await panel()
    const { Id } = await record(screen)
    for (const message of [pointer(0), request(true), encodings()]) {
      const one = await shown(Id, at.viewer)
      one.send(Buffer.concat(Array.from({ length: 5000 }, () => message)))
      expect(await endOf(one)).toEqual({ Ended: 'malformed' })
    }
    expect(screen.received.length).toBeLessThan(5000)
  })

  it('nobody takes and releases control so often that the others hear of nothing else', async () => {
    const { Id } = await record(await panel())
    const [one, other] = [await shown(Id), await shown(Id, at.viewer)]
    let states = 0
    other.socket.on('message', (_, isBinary) => {
      if (!isBinary) states++
    })
    for (let i = 0; i < 500; i++) one.control(i % 2 === 0)
    expect(await endOf(one)).toEqual({ Ended: 'malformed' })
    await until('the other one to be alone', () => other.state()?.Viewers.length === 1)
    expect(states).toBeLessThan(30)
  })

  it('panels that send all they can leave the event loop to others', async () => {
    const flood = new Worker(new URL('../panel-flood.ts', import.meta.url))
    const said = async () => (await once(flood, 'message'))[0]
    const { Id } = await add({ Port: await said() })
    const addresses: string[] = []
    for (let i = 0; i < 4; i++)
      addresses.push(`${at.house.origin.replace('http', 'ws')}${panelSocketPath}?ticket=${await ticket(Id, at.viewer)}`)
    flood.postMessage(addresses)
    await said()
    // A machine with other work is late, too, but not in each of the windows.
    const late: number[] = []
    for (let i = 0; i < 16 && !late.some((ms) => ms < 100); i++) {
      let most = 0
      for (let n = 0; n < 50; n++) {
        const before = performance.now()
        await new Promise((done) => setTimeout(done, 5))
        most = Math.max(most, performance.now() - before)
      }
      late.push(most)
    }
    await flood.terminate()
    expect(Math.min(...late)).toBeLessThan(100)
  })

  it('a panel that never answers ends with the reason, before and after the sign-in', async () => {
    for (const one of mute) expect(await endOf(one)).toEqual({ Ended: 'silent' })
  })
})
