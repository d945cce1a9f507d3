// The soft gateway as a separate process, between the server and a device that counts reads and records the values it served.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '../../contract/call.ts'
import { startLine } from '../cut.ts'
import { until } from '../front-door.ts'
import { startHouse } from '../house.ts'
import { startDevice } from '../modbus-device.ts'
import { byApi } from './tally.ts'
import { pause } from './tiers.ts'

const program = join(import.meta.dirname, '../../edge/main.ts')
/** When the gateway ends, a value may be in transit from the device to its disk; it has not been accepted yet. ms. */
const underWayMs = 400
const periodMs = 100
/** Fewer readings than one answer holds. */
const pageMs = 30_000

export type Counted = Awaited<ReturnType<typeof startCounted>>

export const startCounted = async (SN: string, folder: string) => {
  const house = await startHouse()
  const line = await startLine(house.mqttPort)
  const device = await startDevice()
  const notes = mkdtempSync(join(tmpdir(), 'penstock-served-'))
  const log = join(notes, 'served')
  const plant = await house.newGateway(SN, device.port)
  const point = await house.data('POST', '/Project/DevPara', {
    DeviceId: plant.device,
    ParaName: 'Reads',
    Address: '0',
    ParaDataType: 33,
    CollectType: 1,
    CollectPeriod: periodMs,
    UploadMode: 1,
    // An answer that a busy machine brings late is nobody's value: it must not be late.
    Timeout: 10_000,
  })
  let reads = 0
  device.state.onRead = () => {
    device.setUInt32(0, ++reads)
    appendFileSync(log, `${reads} ${performance.now()}\n`)
  }
  let child: ChildProcess | undefined
  const deaths: { from: number; to: number }[] = []
  const from = Date.now()

  const start = (more: Record<string, string> = {}) => {
    const env = { EDGE_SERVER: `mqtt://127.0.0.1:${line.port}`, EDGE_SN: SN, EDGE_KEY: plant.Key, EDGE_DATA: folder }
    child = spawn(process.execPath, [program], { env: { ...process.env, ...env, ...more }, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  const readBack = async () => {
    const all: { time: number; value: number | null }[] = []
    for (let start = from; start < Date.now() + 1000; start += pageMs)
      all.push(...((await byApi(house)([point.Id], start, start + pageMs)).get(point.Id) ?? []))
    return all.filter((r) => r.value !== null)
  }

  return {
    house,
    line,
    folder,
    start,
    pid: () => child!.pid!,
    /** It has the point to read. */
    configure: async () => {
      await house.online(plant.gateway)
      return house.push(plant.gateway)
    },
    /** Ends it the given way. Values that it had not accepted by then do not count. */
    end: async (how: () => unknown) => {
      const gone = once(child!, 'exit')
      const from = performance.now() - underWayMs
      await how()
      await gone
      deaths.push({ from, to: performance.now() })
    },
    kill: () => child!.kill('SIGKILL'),
    counting: async (more: number) => {
      const before = reads
      await until('reads of the device', () => reads > before + more)
    },
    /** Waits until everything has come, and counts it. */
    verdict: async () => {
      await device.close()
      const served = readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((text) => text.split(' ').map(Number) as [value: number, at: number])
      const newest = served.at(-1)![0]
      await until('the last value', async () => (await readBack()).at(-1)?.value === newest)
      // The oldest may still follow as history.
      let before = -1
      const isOver = async () => {
        const now = (await readBack()).length
        if (now === before) return true
        before = now
        await pause(1500)
        return false
      }
      await until('nothing more to come', isOver)
      const values = (await readBack()).map((r) => r.value!)
      const times = (await readBack()).map((r) => r.time)
      const stored = new Set(values)
      const missing = served.filter(([value]) => !stored.has(value))
      const isUnderWay = ([, at]: [number, number]) => deaths.some(({ from, to }) => at > from && at < to)
      const lost = missing.filter((m) => !isUnderWay(m)).length
      return {
        gateways: (await house.data<Page<object>>('GET', `/Project/Gateway/List?SN=${SN}`)).TotalCount,
        counts: {
          sent: served.length,
          acked: served.length - missing.length + lost,
          stored: stored.size,
          lost,
          duplicated: values.length - stored.size,
          torn: 0,
          wrong: values.filter((v) => v > newest || v < 1).length,
        },
        underWay: missing.length - lost,
        mostUnderWay: (deaths.length * underWayMs) / periodMs,
        inOrder: values.every((v, i) => !i || (v > values[i - 1]! && times[i]! > times[i - 1]!)),
      }
    },
    close: async () => {
      child?.kill('SIGKILL')
      line.close()
      await device.close().catch(() => undefined)
      await house.close()
      rmSync(notes, { recursive: true, force: true })
    },
  }
}
