// What a viewer of a panel may send, over our own VNC server and a real one.
import { describe, expect, it } from 'vitest'
import { until } from '../house.ts'
import { panelHouse } from '../panel-house.ts'
import { bytes } from '../rfb-panel.ts'
import { clipboard, encodings, key, pointer } from '../rfb-viewer.ts'
import { hasTigerVnc, startTigerVnc } from '../tigervnc.ts'
import { secret } from '../two-tenants.ts'

const { at, panel, add, record, open, shown, operate, endOf, settled } = panelHouse()

describe('what a viewer may do', () => {
  it('sees the panel and sends no key, click or clipboard without control', async () => {
    const screen = await panel({ password: 'pumps' })
    const { Id } = await record(screen, { Password: 'pumps' })
    const one = await shown(Id, at.viewer)
    expect([one.version(), one.securities(), one.pixel(9, 9), one.size()]).toEqual(['RFB 003.008\n', [1], 0x0000ff, [64, 32]])
    one.control(true)
    for (const message of [key(0x61, true), pointer(1), clipboard('stop')]) one.send(message)
    await settled(one, screen)
    expect([...screen.of(4), ...screen.of(5), ...screen.of(6)]).toEqual([])
    expect(one.state()).toMatchObject({ Controls: false, MayControl: false })
    // Other viewers of the panel stay.
    expect(screen.shared()).toBe(1)
  })

  it('nobody controls a view-only panel, and a panel that becomes one lets go of its keys', async () => {
    const screen = await panel()
    const made = await record(screen)
    const one = await operate(made.Id)
    one.send(key(0x61, true))
    one.send(pointer(1))
    await until('the key', () => screen.of(5).length)
    await at.house.data('PUT', '/Project/DeviceVnc', { Id: made.Id, ViewOnly: 1 }, at.manager)
    await until('no control', () => one.state()?.MayControl === false)
    one.send(key(0x62, true))
    await settled(one, screen)
    expect(screen.of(4)).toEqual([key(0x61, true), key(0x61, false)])
    expect(screen.of(5)).toEqual([pointer(1), pointer(0)])
  })

  it('one person controls; the others see who, until it ends', async () => {
    const screen = await panel()
    const { Id } = await record(screen)
    const [one, two] = [await shown(Id), await shown(Id)]
    one.control(true)
    await until('control', () => one.state()?.Controls)
    two.control(true)
    two.send(key(0x62, true))
    await settled(two, screen)
    expect(two.state()).toMatchObject({ Controls: false, MayControl: true, Viewers: [{ Name: `${secret} manager`, Controls: true }, {}] })
    expect(screen.of(4)).toEqual([])
    one.close()
    await until('free control', () => two.state()?.Viewers.length === 1)
    two.control(true)
    await until('control', () => two.state()?.Controls)
  })

  it('messages beyond the six of RFC 6143 end the session: they could restart or resize the panel', async () => {
    const screen = await panel()
    const { Id } = await record(screen)
    for (const message of [bytes(250, 0, 1, 2), bytes(251, 0, [16, 9], [16, 9], 1, 0), bytes(255, 0, [16, 1], [32, 0x61], [32, 30])]) {
      const one = await shown(Id)
      one.control(true)
      await until('control', () => one.state()?.Controls)
      one.send(message)
      expect(await endOf(one)).toEqual({ Ended: 'malformed' })
    }
    expect(screen.received.every((message) => [0, 2, 3].includes(message[0]!))).toBe(true)
  })

  it('asks the panel only for encodings that the server can follow', async () => {
    const screen = await panel()
    const one = await shown((await record(screen)).Id)
    one.send(encodings(7, -260, 50, -313, -1063131698, 0, -239))
    await settled(one, screen)
    expect(screen.of(2).at(-1)).toEqual(encodings(7, 0, -239))
  })
})

describe.skipIf(!hasTigerVnc)('a real VNC server (skipped without tigervnc and xev)', () => {
  it('shows its pixels, receives no key in view-only mode, and receives it with control', async () => {
    const tiger = await startTigerVnc('pumps123')
    try {
      const { Id } = await add({ Port: tiger.port, Password: 'pumps123', ViewOnly: 1 })
      const one = await shown(Id)
      expect([one.size(), one.pixel(5, 5)]).toEqual([[320, 200], 0xffffff])
      one.send(key(0x61, true))
      one.send(key(0x61, false))
      await at.house.data('PUT', '/Project/DeviceVnc', { Id, ViewOnly: 0 }, at.manager)
      await until('the right to operate', () => one.state()?.MayControl)
      one.control(true)
      await until('control', () => one.state()?.Controls)
      one.send(key(0x62, true))
      one.send(key(0x62, false))
      await until('the key', () => tiger.keys().includes('b'))
      expect(tiger.keys()).toEqual(['b'])
      await at.house.data('PUT', '/Project/DeviceVnc', { Id, Password: 'wrong' }, at.manager)
      expect(await endOf(await open(Id))).toMatchObject({ Ended: 'password' })
    } finally {
      await tiger.stop()
    }
  })
})
