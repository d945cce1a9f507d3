// Both shapes of a chart through the front door: they say the same, and the compact one is small.
import { request } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'
import mqtt from 'mqtt'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { assemble } from '../console/chart/assemble.ts'
import { seriesIn } from '../console/chart/deltas.ts'
import { topic } from '../contract/gateway-protocol.ts'
import type { Series, SeriesAnswer } from '../contract/telemetry.ts'
import { type House, startHouse, until } from './house.ts'

const [minute, day] = [60_000, 86_400_000]
const start = Date.UTC(2026, 5, 1)
const end = start + 90 * day
const digits = [2, 2, 2, 2, 2, 2, 2, 0, 0, 3]
let house: House
let gateway: Awaited<ReturnType<House['newGateway']>>
let points: number[]
beforeAll(async () => {
  house = await startHouse({}, () => end)
  gateway = await house.newGateway('CHARTSHAPES1', 15_996)
  points = []
  for (const [i, DecimalDigits] of digits.entries()) {
    const draft = { DeviceId: gateway.device, ParaName: `Level ${i}`, Address: `${i}`, ReadWriteType: 1, DecimalDigits }
    points.push((await house.data('POST', '/Project/DevPara', draft)).Id)
  }
  await until('the points to be known to ingest', () => points.every((id) => house.registry.get(id)))
  // Waves with noise to two digits; the last three are a switch, a counter and a level that hardly moves. Sometimes one is silent.
  const readingOf = (i: number, n: number) => {
    const noise = (Math.sin(n * 12.9898 + i * 78.233) * 43_758.5453) % 1
    if (i === 7) return Math.floor(n / 37) % 2
    if (i === 8) return 1_234_567 + n * 3
    if (i === 9) return 5 + noise * 1e-7
    return Math.round((50 + i + 10 * Math.sin(n / (6 * (i + 1))) + noise) * 100) / 100
  }
  const items = Array.from({ length: (90 * day) / (10 * minute) }, (_, n) => ({
    ...{ D: gateway.device, T: start + n * 10 * minute },
    V: Object.fromEntries(points.flatMap((id, i) => ((n * 7 + i) % 101 ? [[id, readingOf(i, n)]] : []))),
  }))
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${house.mqttPort}`, {
    ...{ clientId: gateway.SN, username: gateway.SN, password: gateway.Key },
  })
  for (let i = 0; i < items.length; i += 500) {
    const body = JSON.stringify({ MsgId: `m${i}`, Ts: end, Data: { Items: items.slice(i, i + 500), Backfill: 1 } })
    await client.publishAsync(topic(gateway.SN, 'up', 'history'), body, { qos: 1 })
  }
  await client.endAsync()
})
afterAll(() => house?.close())

/** The answer, and how many bytes of it were sent. */
const ask = (name: string, body: object) =>
  new Promise<{ answer: SeriesAnswer; sent: number }>((done, fail) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${house.admin}`, 'accept-encoding': 'br' }
    request(`${house.origin}/api/DataCenter/ReportData/${name}`, { method: 'POST', headers }, async (answer) => {
      const pieces: Buffer[] = []
      for await (const piece of answer) pieces.push(piece)
      const content = Buffer.concat(pieces)
      const { Succeeded, Data, Errors } = JSON.parse(brotliDecompressSync(content).toString())
      if (Succeeded) done({ answer: Data, sent: content.length })
      else fail(new Error(Errors))
    })
      .on('error', fail)
      .end(JSON.stringify({ ParaIds: points, Start: start, End: end, ...body }))
  })

/** Half of the last digit kept, or of a 2,000th of the range where that is finer; a tiny bit more for what doubles do themselves. */
const tolerance = ({ Min, Max }: Series, shown: number) => {
  const value = (column: Series['Min'], pick: (...of: number[]) => number) => pick(...column.filter((one) => one !== null))
  const range = value(Max, Math.max) - value(Min, Math.min)
  return Math.min(10 ** -shown, range > 0 ? range / 2000 : 1) / 2 + 1e-12
}

const same = (compact: Series[], whole: Series[]) => {
  expect(compact.map(({ ParaId, Raw, Time, Count }) => ({ ParaId, Raw, Time, Count }))).toEqual(
    whole.map(({ ParaId, Raw, Time, Count }) => ({ ParaId, Raw, Time, Count })),
  )
  for (const [i, series] of compact.entries()) {
    const most = tolerance(whole[i]!, digits[i]!)
    const lines = [series, whole[i]!].map((s) => assemble(s, { ExpectedMs: 10 * minute }, 1))
    expect(lines[0]!.Time).toEqual(lines[1]!.Time)
    for (const name of ['Value', 'Low', 'High'] as const)
      for (const [k, value] of (lines[1]![name] ?? []).entries()) {
        const drawn = lines[0]![name]![k]!
        if (value === null ? drawn !== null : !(Math.abs(drawn - value) <= most))
          expect.unreachable(`${name} ${k} of point ${i}: ${drawn} instead of ${value}`)
      }
  }
}

it.each([
  ['Data', { Buckets: 2000 }],
  ['Data', { Start: end - day, Buckets: 2000 }],
  ['HourData', {}],
  ['DayData', {}],
])('%s %j draws the same picture in both shapes', async (name, body) => {
  const { answer: whole } = await ask(name, body)
  const { answer: compact } = await ask(name, { ...body, Shape: 'deltas' })
  expect(whole).not.toHaveProperty('Deltas')
  expect({ ...compact, Deltas: undefined }).toEqual({ ...whole, Series: [], Deltas: undefined })
  expect(whole.Series.every(({ Time }) => Time.length > 80)).toBe(true)
  same(seriesIn(compact), whole.Series)
})

it('ninety days of ten points are at most 100 KB on the line', async () => {
  const { answer, sent } = await ask('Data', { Buckets: 2000, Shape: 'deltas' })
  expect(answer.Deltas!.map(({ Raw, Time }) => Raw || Time.length < 1500)).toEqual(points.map(() => false))
  expect(sent).toBeLessThanOrEqual(100 * 1024)
  expect((await ask('Data', { Buckets: 2000 })).sent).toBeGreaterThan(2 * sent)
})

it('a shape that there is not is refused by its field', async () => {
  const body = { ParaIds: points, Start: start, End: end, Shape: 'pictures' }
  expect(await house.call(house.admin, 'POST', '/DataCenter/ReportData/Data', body)).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { Shape: [expect.any(String)] } },
  })
})
