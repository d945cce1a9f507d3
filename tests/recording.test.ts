// Real input: a pump's sensors, recorded at 1 Hz, served by Modbus devices as fast as the gateway polls.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Series } from '../contract/telemetry.ts'
import { startLine } from './cut.ts'
import { type House, startHouse, until } from './house.ts'
import { startDevice } from './modbus-device.ts'

const folder = fileURLToPath(new URL('../../shared/data/skab/', import.meta.url))
const files = existsSync(folder) ? readdirSync(folder).filter((f) => f.endsWith('.csv')) : []
const sensors = [
  'Accelerometer1RMS',
  'Accelerometer2RMS',
  'Current',
  'Pressure',
  'Temperature',
  'Thermocouple',
  'Voltage',
  'Volume Flow RateRMS',
]
const readRows = (file: string) =>
  readFileSync(join(folder, file), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) =>
      line
        .split(';')
        .slice(1, 1 + sensors.length)
        .map(Number),
    )
const [upMs, cutMs] = [6000, 3000]

/** A device whose registers 0 and 1 count the rows, and whose next sixteen hold the eight sensors. `play` ends when the last row was read. */
const startRecording = async (file: string) => {
  const rows = readRows(file)
  const device = await startDevice()
  const play = () =>
    new Promise<void>((over) => {
      let reads = 0
      device.state.onRead = () => {
        const at = reads++
        // The last row stays until the gateway is stopped; equal counters are one row.
        if (at >= rows.length) return over()
        device.setUInt32(0, at + 1)
        rows[at]!.forEach((value, i) => void device.setFloat(2 + 2 * i, value))
      }
    })
  return { file, rows, device, play, points: [] as number[] }
}

describe.skipIf(!files.length)('a recording of a real pump (skipped where the recordings are absent)', () => {
  let house: House
  let line: Awaited<ReturnType<typeof startLine>>
  let edge: Awaited<ReturnType<House['startEdge']>>
  let recordings: Awaited<ReturnType<typeof startRecording>>[]
  const from = Date.now()

  beforeAll(async () => {
    house = await startHouse()
    line = await startLine(house.mqttPort)
    recordings = await Promise.all(files.map(startRecording))
    const gateway = await house.newGateway('RECORDING001', recordings[0]!.device.port)
    for (const r of recordings) {
      const channel = await house.data('POST', '/Project/Protocol/NetProtocol', {
        ProtocolName: r.file,
        GatewayId: gateway.gateway,
        Ip: '127.0.0.1',
        Port: r.device.port,
      })
      const device = await house.data('POST', '/Project/Device', {
        DeviceName: basename(r.file, '.csv'),
        GatewayId: gateway.gateway,
        NetProtocolId: channel.Id,
      })
      for (const [i, ParaName] of ['Row', ...sensors].entries()) {
        const point = {
          DeviceId: device.Id,
          ParaName,
          Address: String(2 * i),
          ParaDataType: i ? 7 : 33,
          CollectType: 1,
          CollectPeriod: 100,
          UploadMode: 1,
        }
        r.points.push((await house.data('POST', '/Project/DevPara', point)).Id)
      }
    }
    edge = await house.startEdge(gateway, { port: line.port })
    await house.online(gateway.gateway)
    expect(await house.push(gateway.gateway)).toMatchObject({ Code: 0 })
  })
  afterAll(async () => {
    await edge?.close()
    line?.close()
    await house?.close()
  })

  const stored = async (id: number): Promise<{ Time: number[]; Last: number[] }> => {
    const all = { Time: [] as number[], Last: [] as number[] }
    for (let Start = from; Start < Date.now(); Start += 20_000) {
      const { Series } = await house.data<{ Series: Series[] }>('POST', '/DataCenter/ReportData/Data', {
        ParaIds: [id],
        Start,
        End: Start + 20_000,
        Buckets: 10_000,
      })
      expect(Series[0]!.Raw).toBe(true)
      all.Time.push(...Series[0]!.Time)
      all.Last.push(...(Series[0]!.Last as number[]))
    }
    return all
  }

  it('is stored value for value and sample for sample, with the network cut for a third of the time', { timeout: 300_000 }, async () => {
    const playing = recordings.map((r) => r.play())
    let isOver = false
    const cutting = (async () => {
      while (!isOver) {
        await new Promise((r) => setTimeout(r, upMs))
        line.cut()
        await new Promise((r) => setTimeout(r, cutMs))
        line.mend()
      }
    })()
    await Promise.all(playing)
    isOver = true
    await cutting
    await until('everything to be delivered', () => edge.status().online && edge.status().queued < 2000, 60_000)
    for (const r of recordings) await r.device.close()
    await until('the rest to be delivered', () => edge.status().online && edge.status().queued === 0, 60_000)

    for (const { file, rows, points } of recordings) {
      const columns = await Promise.all(points.map(stored))
      for (const column of columns) expect(column.Time).toEqual(columns[0]!.Time)
      const byRow = new Map<number, number[]>()
      columns[0]!.Last.forEach((row, i) => {
        // The devices were switched off at the end.
        if (row === null) return
        const values = columns.slice(1).map((c) => Math.fround(c.Last[i]!))
        if (byRow.has(row)) expect(values, `${file} row ${row}`).toEqual(byRow.get(row))
        byRow.set(row, values)
      })
      byRow.delete(0)
      expect([...byRow.keys()], file).toEqual(rows.map((_, i) => i + 1))
      expect([...byRow.values()], file).toEqual(rows.map((row) => row.map(Math.fround)))
    }
  })
})
