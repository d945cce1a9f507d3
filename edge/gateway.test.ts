import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { GatewaySettings } from '../contract/gateway-settings.ts'
import { startGateway } from './agent.ts'
import { pointRow, startPlc, tableOf } from './testing/plc.ts'
import { startServer } from './testing/server.ts'

const sn = 'SOFT000000001'
const key = 'a secret'
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'penstock-edge-'))
  closing.push(() => rmSync(path, { recursive: true, force: true }))
  return path
}
const quick = { reconnectMs: { min: 20, max: 50 }, ackTimeoutMs: 500 }
const opens = <T extends { close(): unknown }>(it: T) => {
  closing.push(() => it.close())
  return it
}
const start = async (points: Parameters<typeof tableOf>[1] = [], channel = {}) => {
  const server = opens(await startServer(sn, key))
  const plc = opens(await startPlc())
  const data = folder()
  const options = { server: server.url, sn, key, data, ...quick }
  const gateway = opens(await startGateway(options))
  await server.until(() => server.of('state').some((m) => m.Data.Online === 1))
  if (points.length) expect(await server.push(tableOf(plc.port, points, channel))).toMatchObject([{ Code: 0 }])
  return { server, plc, gateway, options }
}
const valuesOf = (server: Awaited<ReturnType<typeof startServer>>, point: number) => server.readings.filter((r) => r.point === point)

describe('configuration', () => {
  test('comes in parts, is reported with event 6 and a new state, and survives a restart', async () => {
    const { server, plc, gateway, options } = await start()
    plc.words[3] = 33
    const answers = await server.push(tableOf(plc.port, [pointRow(1, 1), pointRow(2, 2), pointRow(3, 3)]), 7, 3)
    expect(answers.map((a) => a.Code)).toEqual([0, 0, 0])
    await server.until(() => server.of('state').some((m) => m.Data.ConfigVersion === 7))
    await server.until(() => server.of('event').some((m) => m.Data.Type === 6))
    await server.until(() => valuesOf(server, 3).some((r) => r.value === 33))
    await gateway.close()
    await server.until(() => server.of('state').at(-1)?.Data.Online === 0)
    const count = server.of('state').length
    opens(await startGateway(options))
    await server.until(() => server.of('state').length > count)
    expect(server.of('state').at(-1)!.Data).toMatchObject({ Online: 1, ConfigVersion: 7 })
    expect(server.wrong).toEqual([])
  })

  test('sets the gateway itself at once and after a restart; unknown settings and values are refused by name', async () => {
    const lines: string[] = []
    const { server, plc, gateway, options } = await start()
    const running = () => server.of('state').at(-1)!.Data.Settings
    expect(running()).toEqual({ BackfillRate: 20, BufferSize: 1024, LogLevel: 'info' })
    const table = tableOf(plc.port, [pointRow(1, 1)])
    const refused = async (Settings: GatewaySettings) => (await server.push({ ...table, Settings }, 2))[0]
    expect(await refused({ TimeServer: 'ntp.example' })).toMatchObject({ Code: 15, Msg: 'this gateway has no setting TimeServer' })
    expect(await refused({ BackfillRate: 0 })).toMatchObject({ Code: 15, Msg: 'BackfillRate must not be 0' })
    expect(await refused({ BackfillRate: '20' })).toMatchObject({ Code: 15 })
    expect(await server.push({ ...table, Settings: { BackfillRate: 1, LogLevel: 'debug' } }, 3)).toMatchObject([{ Code: 0 }])
    await server.until(() => running()?.BackfillRate === 1)
    expect(running()).toEqual({ BackfillRate: 1, BufferSize: 1024, LogLevel: 'debug' })
    await gateway.close()
    const count = server.of('state').length
    opens(await startGateway({ ...options, log: (line) => void lines.push(line) }))
    await server.until(() => server.of('state').length > count)
    expect(running()).toMatchObject({ BackfillRate: 1, LogLevel: 'debug' })
    await expect.poll(() => lines.some((line) => line.startsWith('up/data'))).toBe(true)
    expect(await server.push(table, 4)).toMatchObject([{ Code: 0 }])
    await server.until(() => running()?.BackfillRate === 20)
    expect(server.wrong).toEqual([])
  })

  test('with a wrong row is refused whole, by row and field, and the old one goes on', async () => {
    const { server, plc, gateway } = await start([pointRow(1, 1)])
    const bad = tableOf(plc.port, [pointRow(1, 1), pointRow(2, 65535, { ParaDataType: 7, Row: 17, ParaName: 'Temp1' })])
    const [answer] = await server.push(bad, 2)
    expect(answer).toMatchObject({
      Code: 10,
      Data: { Detail: [{ Row: 17, ParaName: 'Temp1', Field: 'Address', Reason: '65536 > 65535' }] },
    })
    expect(gateway.status().configVersion).toBe(1)
    const before = valuesOf(server, 1).length
    await server.until(() => valuesOf(server, 1).length > before)
    const mistyped = tableOf(plc.port, [{ ...pointRow(1, 1), Address: 5 as unknown as string, Row: 4 }])
    expect(await server.push(mistyped, 2)).toMatchObject([{ Code: 10, Data: { Detail: [{ Row: 4, Field: 'Address' }] } }])
    expect(await server.push(tableOf(plc.port, [pointRow(1, 1)]), 2, 1, 'f'.repeat(64))).toMatchObject([{ Code: 15 }])
    const extra = { ...tableOf(plc.port, []), Channels: [{ ...tableOf(plc.port, []).Channels[0]!, Speed: 3 }] }
    const [refused] = await server.push(extra as never, 2)
    expect(refused).toMatchObject({ Code: 15, Msg: expect.stringContaining('unknown field Data.Channels.0.Speed') })
  })
})

describe('polling', () => {
  test('asks for merged blocks and nothing else', async () => {
    const { server, plc } = await start([
      pointRow(1, 0),
      pointRow(2, 10, { ParaDataType: 7 }),
      pointRow(3, 40),
      pointRow(4, 5, { RegisterType: 3 }),
    ])
    await server.until(() => valuesOf(server, 4).length > 2)
    const kinds = new Set(plc.asked.map((a) => `${a.register}/${a.start}/${a.count}`))
    expect([...kinds].sort()).toEqual(['3/5/1', '4/0/12', '4/40/1'])
  })

  test('uploads each scan, on change, and by period', async () => {
    const { server, plc } = await start([
      pointRow(1, 0, { UploadMode: 1 }),
      pointRow(2, 1, { UploadMode: 3 }),
      pointRow(3, 2, { UploadMode: 0, UploadPeriod: 1 }),
    ])
    await server.until(() => valuesOf(server, 1).length >= 6)
    plc.words[1] = 5
    await server.until(() => valuesOf(server, 2).some((r) => r.value === 5))
    await server.until(() => valuesOf(server, 3).length >= 2)
    expect(valuesOf(server, 2).length).toBeLessThanOrEqual(3)
    expect(valuesOf(server, 1).length).toBeGreaterThan(valuesOf(server, 3).length * 3)
    const [a, b] = valuesOf(server, 3).slice(-2)
    expect(b!.time - a!.time).toBeGreaterThan(800)
    expect(server.wrong).toEqual([])
  })

  test('a wrong address in a merged block spoils no neighbour', async () => {
    const points = Array.from({ length: 8 }, (_, i) => pointRow(i + 1, i))
    const { server, plc } = await start()
    plc.missing.add(5)
    plc.words.fill(9, 0, 8)
    await server.push(tableOf(plc.port, points))
    await server.until(() => [1, 2, 3, 4, 5, 7, 8].every((id) => valuesOf(server, id).some((r) => r.value === 9)))
    await server.until(() => valuesOf(server, 6).length > 0)
    expect(valuesOf(server, 6).map((r) => [r.value, r.quality])).toEqual([[null, 4]])
  })

  test('a device that answers for the first time is reported immediately, not with the next heartbeat', async () => {
    const { server } = await start([pointRow(1, 0)])
    await server.until(() => server.of('heartbeat').some((m) => m.Data.Devices?.[0]?.Status === 1))
  })

  test('a device that goes away is reported once, with bad quality, and comes back by itself', async () => {
    const { server, plc, gateway } = await start([pointRow(1, 0)])
    await server.until(() => valuesOf(server, 1).length > 1)
    const { port } = plc
    await plc.close()
    await server.until(() => valuesOf(server, 1).at(-1)?.quality === 2)
    await server.until(() => server.of('event').some((m) => m.Data.Type === 5))
    await server.until(() => server.of('heartbeat').some((m) => m.Data.Devices?.[0]?.Status === 2))
    expect(valuesOf(server, 1).filter((r) => r.quality === 2)).toHaveLength(1)
    expect(server.of('event').some((m) => m.Data.Type === 4)).toBe(true)
    const again = opens(await startPlc(port))
    again.words[0] = 77
    await server.until(() => valuesOf(server, 1).at(-1)?.value === 77)
    expect(gateway.status().devices).toMatchObject([{ DeviceId: 1, Status: 1 }])
  })
})

describe('commands', () => {
  test('write, and read back, what fits; refuse what does not', async () => {
    const { server, plc } = await start([
      pointRow(1, 0, { ReadWriteType: 1, SampleLow: 0, SampleHigh: 1000, ProjectLow: 0, ProjectHigh: 100, UploadMode: 3 }),
      pointRow(2, 1),
    ])
    expect(await server.send('write', { D: 1, ParaId: 1, Value: 12.5, CheckBack: 1 })).toMatchObject({ Code: 0, Data: { Value: 12.5 } })
    expect(plc.words[0]).toBe(125)
    await server.until(() => valuesOf(server, 1).some((r) => r.value === 12.5))
    expect(await server.send('write', { D: 1, ParaId: 9, Value: 1, CheckBack: 0 })).toMatchObject({ Code: 4 })
    expect(await server.send('write', { D: 2, ParaId: 1, Value: 1, CheckBack: 0 })).toMatchObject({ Code: 4 })
    expect(await server.send('write', { D: 1, ParaId: 2, Value: 1, CheckBack: 0 })).toMatchObject({ Code: 201, Msg: 'p2 is read only' })
    expect(await server.send('write', { D: 1, ParaId: 1, Value: 9999, CheckBack: 1 })).toMatchObject({ Code: 201 })
    expect(plc.words[0]).toBe(125)
    plc.words[1] = 4
    expect(await server.send('read', { D: 1, ParaIds: [1, 2] })).toMatchObject({
      Code: 0,
      Data: {
        Values: [
          { ParaId: 1, Value: 12.5, Quality: 0 },
          { ParaId: 2, Value: 4, Quality: 0 },
        ],
      },
    })
    expect(await server.send('read', { D: 1, ParaIds: [5] })).toMatchObject({ Code: 4 })
  })

  test('are followed once, however often they come, also after a restart', async () => {
    const { server, plc, gateway, options } = await start([pointRow(1, 0, { ReadWriteType: 1 })])
    const order = { D: 1, ParaId: 1, Value: 3, CheckBack: 0 }
    expect(await server.send('write', order, 'once')).toMatchObject({ Code: 0 })
    expect(await server.send('write', order, 'once')).toMatchObject({ Code: 6, Data: { PrevCode: 0 } })
    await gateway.close()
    opens(await startGateway(options))
    await server.until(() => server.of('state').at(-1)?.Data.Online === 1)
    expect(await server.send('write', order, 'once')).toMatchObject({ Code: 6, Data: { PrevCode: 0 } })
    expect(plc.written).toEqual([[0, 3]])
  })

  test('that are old, misspelt or no JSON are not followed', async () => {
    const { server, plc, gateway } = await start([pointRow(1, 0, { ReadWriteType: 1 })])
    const order = { D: 1, ParaId: 1, Value: 3, CheckBack: 0 }
    expect(await server.send('write', order, 'old', Date.now() - 6 * 60_000)).toMatchObject({ Code: 7 })
    expect(await server.send('write', order, 'early', Date.now() + 6 * 60_000)).toMatchObject({ Code: 7 })
    expect(await server.send('write', { ...order, Force: 1 } as never)).toMatchObject({ Code: 201, Msg: 'unknown field Data.Force' })
    const raw = JSON.stringify({ MsgId: 'bare', Ts: Date.now(), Data: { D: 1 } })
    expect(await server.sendRaw('write', 'bare', raw)).toMatchObject({ Code: 201, Msg: expect.stringContaining('ParaId') })
    void server.sendRaw('write', 'never', '{"MsgId":').catch(() => {})
    await expect.poll(() => gateway.status().malformed).toBe(3)
    expect(plc.written).toEqual([])
  })

  test('test the network and set the clock', async () => {
    const { server, plc } = await start()
    expect(await server.send('nettest', { Ip: '127.0.0.1', Port: plc.port })).toMatchObject({ Code: 0 })
    await plc.close()
    expect(await server.send('nettest', { Ip: '127.0.0.1', Port: plc.port })).toMatchObject({ Code: 301 })
    expect(await server.send('nettest', { Serial: '/dev/ttyNone9' })).toMatchObject({ Code: 301 })
    expect(await server.send('timesync', { Ts: Date.UTC(2019, 0, 1) })).toMatchObject({ Code: 5 })
    const ahead = Date.now() + 3_600_000
    expect(await server.send('timesync', { Ts: ahead }, 'set', ahead)).toMatchObject({ Code: 0 })
    expect(server.of('reply').at(-1)!.Ts).toBeGreaterThanOrEqual(ahead)
    expect(await server.send('nettest', { Ip: '127.0.0.1', Port: 1 })).toMatchObject({ Code: 7 })
  })
})

test('a gateway with a wrong key is refused and logs it without the key', async () => {
  const server = opens(await startServer(sn, key))
  const lines: string[] = []
  opens(await startGateway({ server: server.url, sn, key: 'guessed-key', data: folder(), ...quick, log: (line) => lines.push(line) }))
  await expect.poll(() => lines.length).toBeGreaterThan(1)
  expect(lines[0]).toMatch(/not authori[sz]ed/i)
  expect(lines.join()).not.toContain('guessed-key')
})
