import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { quarter } from '../../../../server/telemetry/store/store.ts'
import { registryOf, temporaryFolder } from '../../../../server/telemetry/telemetry.fixture.ts'
import { openTelemetry, type Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { device as devices } from '../../../configuration/devices/contract.ts'
import { gateway as gateways } from '../../../configuration/gateways/contract.ts'
import { point as points } from '../../../configuration/points/contract.ts'
import { project as projects } from '../../../configuration/projects/contract.ts'
import { circuitsWhere } from './circuits.ts'
import { enteredQuarters, entriesOf } from './entered.ts'
import { ordered, quartersOf } from './quarterHours.ts'
import { startDeriving } from './worker.ts'

const hour = 3_600_000
const t0 = Date.parse('2026-03-01T00:00:00Z')
const now = t0 + 5 * 24 * hour
let kit: Kit
let telemetry: Telemetry
let folder: Awaited<ReturnType<typeof temporaryFolder>>
const ids = { point: 0, other: 0, meter: 0, entered: 0, sum: 0 }

const rowsOf = (point: number, value: (at: number) => number, from: number, to: number) =>
  Array.from({ length: (to - from) / (quarter / 3) }, (_, i) => from + i * (quarter / 3)).map((time) => ({
    ...{ point, time, value: value((time - t0) / hour), quality: 0 },
  }))
const load = async (samples: ReturnType<typeof rowsOf>) => {
  for (const of of Map.groupBy(samples, ({ time }) => Math.floor(time / (24 * hour))).values())
    await telemetry.load(
      (async function* () {
        yield of
      })(),
    )
}
beforeAll(async () => {
  kit = await startKit({ clock: () => now })
  folder = await temporaryFolder('energy')
  const log = { warn: () => {}, error: () => {} } as never
  telemetry = await openTelemetry({ folder: folder.folder, registry: registryOf([]), clock: () => now, log })
  const make = maker(kit)
  const { Id: ProjectId } = await make.create(projects)
  const { Id: GatewayId } = await make.create(gateways, { ProjectId })
  const { Id: DeviceId } = await make.create(devices, { GatewayId })
  ids.point = (await make.create(points, { DeviceId })).Id
  const { ours } = kit.enterprises
  await kit.db.rows(sql`insert into point_meaning ("PointId", "EnterpriseId", "CalDataType") values (${ids.point}, ${ours}, 1)`)
  const circuit = async (code: string, Source: number, more: { ParaId?: number; Formula?: string; FormulaIds?: number[] } = {}) => {
    const [row] = await kit.db.rows<{ Id: number }>(sql`
      insert into energy_info ("EnterpriseId", "EnergyName", "EnergyCode", "ProjectId", "Source", "ParaId", "Formula", "FormulaIds", "Unit")
      values (${ours}, ${code}, ${code}, ${ProjectId}, ${Source}, ${more.ParaId ?? null}, ${more.Formula ?? null}, ${JSON.stringify(more.FormulaIds ?? [])}::jsonb, 'kWh') returning "Id"`)
    return row!.Id
  }
  ids.meter = await circuit('E01', 1, { ParaId: ids.point })
  ids.entered = await circuit('E02', 2)
  ids.sum = await circuit('E03', 3, { Formula: `([#${ids.meter}]+[#${ids.entered}])*2`, FormulaIds: [ids.meter, ids.entered] })
  await kit.db.rows(sql`
    insert into energy_info_data ("EnterpriseId", "EnergyInfoId", "DataTime", "CycleType", "Value")
    values (${ours}, ${ids.entered}, ${new Date(t0 + 26 * hour)}::timestamptz, 1, 7)`)
  await load(rowsOf(ids.point, (at) => 100 + at, t0, t0 + 4 * 24 * hour + 3 * hour))
})
afterAll(async () => {
  await telemetry.close()
  await kit.close()
  await folder.remove()
})

/** Loaded readings are not live values, so the newest one is set here. */
const derivingWorker = () => {
  const newest = { point: ids.point, time: t0 + 99 * hour - quarter / 3, value: 199, quality: 0, n: 0 }
  const failed = (of: object) => {
    throw of
  }
  const { aside, arrivals, top, first, readingsSince } = telemetry
  const needs = { aside, arrivals, top, first, readingsSince, latest: { get: () => newest } }
  return startDeriving({ database: kit.database, telemetry: needs, isOwner: () => true, clock: () => now, log: { warn: failed } })
}
const answer = async () => {
  const circuits = await circuitsWhere(kit.db, sql`t."EnterpriseId" = ${kit.enterprises.ours}`)
  const span = { start: t0 + 12 * hour, end: t0 + 110 * hour }
  const found = await quartersOf(kit.db, { telemetry, now }, circuits, circuits, span)
  return [ids.meter, ids.entered, ids.sum].map((id) => {
    const { value, quality, unknown } = found.get(id)!
    return { value: [...value].map(Number), quality: [...quality], unknown: [...unknown] }
  })
}
const sum = ({ value }: { value: number[] }) => value.reduce((all, one) => all + one, 0)

it('days are a cache: derived, in part, or dropped, circuits of meters, entries and formulas answer the same', async () => {
  const before = await answer()
  // 99 hours less the first 12, up to the last reading; 5 minutes before its end.
  expect(sum(before[0]!)).toBe(Math.round((99 - 1 / 12 - 12) * 1000))
  expect([sum(before[1]!), before[1]!.unknown.filter((one) => !one).length]).toEqual([7000, 4])
  // A formula is known where all of its operands are.
  expect([sum(before[2]!), before[2]!.quality.filter((one) => one === 2).length]).toEqual([2 * (1000 + 7000), 4])
  const worker = derivingWorker()
  await worker.settle()
  const [days] = await kit.db.rows<{ count: number }>(
    sql`select count(*)::int as count from energy_day where "EnergyInfoId" = ${ids.meter}`,
  )
  expect(days!.count).toBe(4)
  expect(await answer()).toEqual(before)
  await kit.db.rows(sql`delete from energy_day where "Day" = '2026-03-02'`)
  expect(await answer()).toEqual(before)
  await kit.db.rows(sql`delete from energy_day`)
  await kit.db.rows(sql`delete from energy_state`)
  expect(await answer()).toEqual(before)
  await worker.stop()
})

it('another ratio in front of a meter derives its days anew', async () => {
  await kit.db.rows(sql`update energy_source set "Multiplier" = 3 where "EnergyInfoId" = ${ids.meter}`)
  const worker = derivingWorker()
  await worker.settle()
  await worker.stop()
  expect(sum((await answer())[0]!)).toBe(Math.round(3 * (99 - 1 / 12 - 12) * 1000))
})

it('formulas that stand on each other thousands deep are put in order', () => {
  const chain = Array.from({ length: 20_000 }, (_, i) => ({ Id: i + 1, Source: i ? 3 : 2, FormulaIds: i ? [i] : [] }))
  const found = ordered([chain.at(-1)!, chain[5]!], new Map(chain.map((one) => [one.Id, one])))
  expect(found.map(({ Id }) => Id)).toEqual(chain.map(({ Id }) => Id))
})

it('what a day says leaves less for the other days of its month, whatever part of it is asked for', async () => {
  const add = (day: number, cycle: number, value: number) =>
    kit.db.rows(sql`
      insert into energy_info_data ("EnterpriseId", "EnergyInfoId", "DataTime", "CycleType", "Value")
      values (${kit.enterprises.ours}, ${ids.entered}, ${new Date(Date.UTC(2026, 0, day))}::timestamptz, ${cycle}, ${value})`)
  await add(1, 3, 31)
  await add(1, 2, 1)
  await add(2, 2, 28)
  const range = { start: Date.UTC(2026, 0, 20), count: 96 }
  const entries = await entriesOf(kit.db, [ids.entered], range.start, range.start + 24 * hour)
  const { value } = enteredQuarters(entries, range)
  expect(value.reduce((all, one) => all + one, 0)).toBeCloseTo(2000 / 29, -1)
})
