// Kills the server between back-fill and recompute: derived days must match the readings after each restart.
import { expect, test } from 'vitest'
import { openRawGateway } from '../raw-gateway.ts'
import { ownServer } from './own-server.ts'
import { enter, noReadings } from './tally.ts'
import { inTime, pause, rounds } from './tiers.ts'

const [quarter, hour, day] = [900_000, 3_600_000, 86_400_000]
const kills = rounds(3, 12)
const own = ownServer()

type Part = { Energy: number | null; Shares: { Measured: number } | null }
type Chart = { Series: Part & { Parts: Part[] } }

test('days of energy that a back-fill changes are those of its readings, also after a kill', inTime(kills), async ({ task }) => {
  const { door } = own
  const gateway = await door.newGateway('ENERGYKILLS1', 1)
  const { Id: ParaId } = await door.data<{ Id: number }>('POST', '/Project/DevPara', {
    ...{ DeviceId: gateway.device, ParaName: 'Energy', ParaUnitName: 'kWh', Address: '0', UploadMode: 0, UploadPeriod: 900 },
  })
  await door.data('POST', `/DataCenter/ReportData/CalDataType/${ParaId}/1`, {})
  const circuit = { EnergyName: 'Pumps', EnergyCode: 'E1', ProjectId: gateway.project, Source: 1, ParaId }
  const { Id: EnergyInfoId } = await door.data<{ Id: number }>('POST', '/Energy/Info', circuit)
  const start = Math.floor(Date.now() / day) * day - 60 * day
  /** 24 a day; on odd days, from noon only. */
  const shown = (time: number) => {
    const [days, rest] = [Math.floor((time - start) / day), (time - start) % day]
    return 1000 + days * 24 + (days % 2 ? Math.max(0, 2 * rest - day) : rest) / hour
  }
  const send = async (topic: 'history' | 'data', times: readonly number[]) => {
    const raw = await openRawGateway(own.process.mqttPort, gateway)
    await raw.connack()
    await raw.subscribe(`iot/v1/${gateway.SN}/down/+`)
    const MsgId = `${topic} ${times[0]}`
    const Items = times.map((T) => ({ D: gateway.device, T, V: { [ParaId]: shown(T) } }))
    await raw.say(topic, { MsgId, Ts: Date.now(), Data: { Items, ...(topic === 'history' ? { Backfill: 1 } : {}) } })
    await raw.acked(MsgId)
    raw.close()
  }
  const readingsOf = (of: number) => Array.from({ length: day / quarter }, (_, i) => start + of * day + i * quarter)
  for (let of = 0; of <= 2 * kills + 2; of += 2) await send('history', readingsOf(of))
  await send('data', [Date.now()])
  const derived = async () =>
    (await own.query<{ n: number }>(`select count(*)::int as n from energy_state where "DerivedUntil" > now() - interval '3 days'`))[0]!.n
  await expect.poll(derived, { timeout: 60_000, interval: 200 }).toBe(1)

  const halvesOf = async (of: number) => {
    const date = new Date(start + of * day).toISOString().slice(0, 10)
    const path = `/Energy/DataCenter/Chart?EnergyInfoId=${EnergyInfoId}&DateFrom=${date}&DateTo=${date}&Division=hour`
    const { Series } = await door.data<Chart>('GET', path)
    const half = (from: number) => Math.round(Series.Parts.slice(from, from + 12).reduce((sum, { Energy }) => sum + (Energy ?? 0), 0))
    return [half(0), half(12), Series.Shares?.Measured]
  }
  let before = 0
  for (let i = 0; i < kills; i++) {
    const missing = 2 * i + 1
    expect((await halvesOf(missing))[2]).toBeLessThan(10)
    await send('history', readingsOf(missing))
    // The worker looks for arrivals every second.
    await pause(Math.random() * 2500)
    before += Number((await halvesOf(missing))[0] !== 0)
    await own.process.kill()
    await own.process.start()
    await expect.poll(() => halvesOf(missing), { timeout: 60_000, interval: 300 }).toEqual([0, 24, 100])
  }
  for (let i = 0; i < kills; i++) expect(await halvesOf(2 * i + 1)).toEqual([0, 24, 100])
  enter(task, {
    fault: 'killed between back-fill and days of energy',
    rounds: kills,
    ...noReadings,
    note: `${before} before the day was derived anew`,
  })
})
