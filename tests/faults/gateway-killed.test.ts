// The soft gateway in a process of its own, between a device that counts its reads and writes down what it served, and the server.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../contract/base/call.ts'
import { startLine } from '../cut.ts'
import { until } from '../front-door.ts'
import { type House, startHouse, temporary } from '../house.ts'
import { startDevice } from '../modbus-device.ts'
import { byApi, enter } from './tally.ts'
import { isLong, pause, rounds } from './tiers.ts'

let house: House
let line: Awaited<ReturnType<typeof startLine>>
let device: Awaited<ReturnType<typeof startDevice>>
let child: ChildProcess | undefined
const folder = temporary()
const log = join(folder, 'served')

beforeAll(async () => {
  house = await startHouse()
  line = await startLine(house.mqttPort)
  device = await startDevice()
})
afterAll(async () => {
  child?.kill('SIGKILL')
  line?.close()
  await device?.close()
  await house?.close()
  rmSync(folder, { recursive: true, force: true })
})

const program = join(import.meta.dirname, '../../edge/main.ts')
/** A value may be on its way from the device to the gateway's disk when it is killed: nobody has taken it on yet. ms. */
const underWayMs = 400
/** Fewer readings than one answer holds. */
const pageMs = 30_000

const kills = rounds(2, 10)
test('a gateway that is killed, and cut off, leaves no hole and tells nothing twice', { timeout: 120_000 + kills * 30_000 }, async ({
  task,
}) => {
  const plant = await house.newGateway('KILLED000001', device.port)
  const point = await house.data('POST', '/Project/DevPara', {
    DeviceId: plant.device,
    ParaName: 'Reads',
    Address: '0',
    ParaDataType: 33,
    CollectType: 1,
    CollectPeriod: 100,
    UploadMode: 1,
  })
  let reads = 0
  device.state.onRead = () => {
    device.setUInt32(0, ++reads)
    appendFileSync(log, `${reads} ${performance.now()}\n`)
  }
  const start = () => {
    const env = { ...process.env, EDGE_SERVER: `mqtt://127.0.0.1:${line.port}`, EDGE_SN: plant.SN, EDGE_KEY: plant.Key, EDGE_DATA: folder }
    child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  const deaths: { from: number; to: number }[] = []
  const kill = async () => {
    const gone = once(child!, 'exit')
    const from = performance.now() - underWayMs
    child!.kill('SIGKILL')
    await gone
    deaths.push({ from, to: performance.now() })
  }
  const counting = async (more: number) => {
    const before = reads
    await until('reads of the device', () => reads > before + more, 40_000)
  }
  const from = Date.now()
  start()
  await house.online(plant.gateway)
  expect(await house.push(plant.gateway)).toMatchObject({ Code: 0 })
  for (let i = 0; i < kills; i++) {
    await counting(10)
    // Every other time it is alone when it is killed, and what it holds is on its disk only.
    const isAlone = i % 2 === 1
    if (isAlone) line.cut()
    await pause((isLong && isAlone ? 6000 : 500) + Math.random() * 700)
    await kill()
    start()
    if (isAlone) await counting(10)
    line.mend()
  }
  await counting(10)
  line.cut()
  await pause(isLong ? 60_000 : 2000)
  line.mend()
  await counting(10)

  await device.close()
  const { Items } = await house.data<Page<{ Id: number }>>('GET', `/Project/Gateway/List?SN=${plant.SN}`)
  expect(Items).toHaveLength(1)
  const served = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((text) => text.split(' ').map(Number) as [value: number, at: number])
  const newest = served.at(-1)![0]
  const readBack = async () => {
    const all: { time: number; value: number | null }[] = []
    for (let start = from; start < Date.now() + 1000; start += pageMs)
      all.push(...((await byApi(house)([point.Id], start, start + pageMs)).get(point.Id) ?? []))
    return all.filter((r) => r.value !== null)
  }
  await until('the last value', async () => (await readBack()).at(-1)?.value === newest, 120_000)
  // The oldest may still follow as history.
  let before = -1
  await until(
    'nothing more to come',
    async () => {
      const now = (await readBack()).length
      if (now === before) return true
      before = now
      await pause(1500)
      return false
    },
    120_000,
  )

  const values = (await readBack()).map((r) => r.value!)
  const times = (await readBack()).map((r) => r.time)
  const stored = new Set(values)
  const missing = served.filter(([value]) => !stored.has(value))
  const isUnderWay = ([, at]: [number, number]) => deaths.some(({ from, to }) => at > from && at < to)
  const lost = missing.filter((m) => !isUnderWay(m)).length
  const unknown = values.filter((v) => v > newest || v < 1).length
  const inOrder = values.every((v, i) => !i || (v > values[i - 1]! && times[i]! > times[i - 1]!))
  const row = { fault: 'soft gateway killed and cut off', rounds: kills, sent: served.length, acked: served.length - missing.length + lost }
  const duplicated = values.length - stored.size
  const note = `${missing.length - lost} reads were under way at a kill`
  enter(task, { ...row, stored: stored.size, lost, duplicated, torn: 0, wrong: unknown, note })
  expect({ lost, duplicated, unknown, inOrder }).toEqual({ lost: 0, duplicated: 0, unknown: 0, inOrder: true })
  expect(missing.length).toBeLessThanOrEqual(2 * kills)
})
