// The first start of the demo, killed while it writes the plant's history.
import { afterAll, expect, it } from 'vitest'
import { until } from '../front-door.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const days = 12
let server: ServerProcess | undefined
afterAll(async () => {
  await server?.stop()
  server?.remove()
})

it('after a kill, the next start completes the history, each reading and alarm once', { timeout: 300_000 }, async () => {
  server = await startServerProcess({ PENSTOCK_DEMO: 'on', PENSTOCK_DEMO_HISTORY: String(days) })
  const startedAt = Date.now()
  let door = await server.door()
  const points = await until('the points', async () => {
    const { Items } = await door.data<{ Items: { Id: number; ParaName: string }[] }>(
      'GET',
      '/Project/DevPara/List?PageSize=200&DeviceName=Weather',
    )
    return Items.length ? Items : undefined
  })
  const id = points.find((p) => p.ParaName === 'Air pressure')!.Id
  /** Readings of each day, the oldest first. */
  const counts = async () => {
    const Start = startedAt - (days + 2) * 86_400_000
    const body = { ParaIds: [id], Start, End: Math.floor(startedAt / 86_400_000) * 86_400_000 }
    const { Series } = await door.data<{ Series: { Count: number[] }[] }>('POST', '/DataCenter/ReportData/DayData', body)
    return Series[0]?.Count ?? []
  }
  const some = await until('some days', async () => ((await counts()).length > 0 ? await counts() : undefined))
  expect(some.length).toBeLessThan(days)
  await server.kill()
  await server.start()
  door = await server.door()
  const all = await until('all days', async () => ((await counts()).length >= days ? await counts() : undefined), 120_000)
  // Days of the company's zone: the ends are parts, and one day turns from quarter-hours to minutes. A device that was silent for some minutes may have missed one.
  expect(all.slice(1, -1).filter((count) => ![95, 96].includes(count) && (count < 1380 || count > 1440))).toEqual([])
  const alarms = async () =>
    (
      await door.data<{ Items: { ParaId: number; RuleName: string; StartTime: string }[] }>(
        'GET',
        '/Alarm/AlarmInfo/List?PageSize=1000&IsActive=0',
      )
    ).Items
  const named = (await alarms()).map((a) => `${a.RuleName} ${a.ParaId} ${a.StartTime}`)
  expect(named.length).toBeGreaterThan(days / 2)
  expect(new Set(named).size).toBe(named.length)
})
