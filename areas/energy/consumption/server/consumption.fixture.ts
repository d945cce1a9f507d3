// A company in Madrid with a project, a gateway and counters, for tests of what circuits used.
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { maker } from '../../../../main/testing/drafts.ts'
import { startKit } from '../../../../main/testing/kit.ts'
import { named } from '../../../../server/resource/sql.ts'
import { registryOf, temporaryFolder } from '../../../../server/telemetry/telemetry.fixture.ts'
import { openTelemetry, type Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { consumptionRoutes } from './routes.ts'
import { startDeriving } from './worker.ts'

const [minute, hour] = [60_000, 3_600_000]

type Needs = { telemetry: Telemetry; clock: () => number }
export const startWorks = async (clock: () => number, more: readonly ((app: FastifyInstance, needs: Needs) => void)[] = []) => {
  const folder = await temporaryFolder('consumption')
  const log = { warn: () => {}, error: () => {} } as never
  const telemetry = await openTelemetry({ folder: folder.folder, registry: registryOf([]), clock, log })
  const kit = await startKit({
    clock,
    areas: () => [consumptionRoutes, ...more].map((routes) => (api: FastifyInstance) => routes(api, { telemetry, clock })),
  })
  const { ours } = kit.enterprises
  await kit.db.rows(sql`update enterprise set "TimeZoneKey" = 'Europe/Madrid', "CurrencyCode" = 'EUR' where "Id" = ${ours}`)
  const make = maker(kit)
  const { Id: ProjectId } = await make.create(named('project'))
  const { Id: GatewayId } = await make.create(named('gateway'), { ProjectId })
  const { Id: DeviceId } = await make.create(named('device'), { GatewayId })
  const load = async (rows: readonly { point: number; time: number; value: number; quality: number }[]) => {
    // A load covers one month, or one day of a month that may be open.
    const monthOf = (time: number) => new Date(time).toISOString().slice(0, 7)
    const open = monthOf(clock() - 24 * hour)
    const loads = Map.groupBy(rows, ({ time }) => (monthOf(time) < open ? monthOf(time) : new Date(time).toISOString().slice(0, 10)))
    for (const of of loads.values())
      await telemetry.load(
        (async function* () {
          yield of
        })(),
      )
  }
  return {
    kit,
    make,
    telemetry,
    DeviceId,
    ProjectId,
    /** A point that counts. */
    meter: async () => {
      const { Id } = await make.create(named('point'), { DeviceId })
      await kit.db.rows(sql`insert into point_meaning ("PointId", "EnterpriseId", "CalDataType") values (${Id}, ${ours}, 1)`)
      return Id
    },
    /** 0.10 at night, until 8:00, and 0.20 by day. */
    tariff: async () => {
      const Periods = [
        { Start: '00:00', End: '08:00', Level: 4, Price: 0.1 },
        { Start: '08:00', End: '24:00', Level: 2, Price: 0.2 },
      ]
      const Seasons = [{ Months: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], Days: 0, Periods }]
      const draft = { StandardName: 'Two prices', ValidFrom: '2025-01-01', TariffType: 2, Seasons }
      return (await kit.data<{ Id: number }>('owner', 'POST', '/Energy/ElectricityPriceStandard', draft)).Id
    },
    /** Readings of a counter that rises by so many units an hour, by default every five minutes. */
    count: async (point: number, { from, to }: { from: number; to: number }, begin: number, hourly: number, every = 5 * minute) => {
      const rows = Array.from({ length: (to - from) / every + 1 }, (_, i) => from + i * every).map((time) => ({
        ...{ point, time, value: begin + (hourly * (time - from)) / hour, quality: 0 },
      }))
      await load(rows)
    },
    /** Values of a point, one every five minutes. */
    follow: (point: number, { from, to }: { from: number; to: number }, value: (time: number) => number) =>
      load(
        Array.from({ length: (to - from) / (5 * minute) }, (_, i) => from + i * 5 * minute).map((time) => ({
          ...{ point, time, value: value(time), quality: 0 },
        })),
      ),
    /** Derives days and stores sums up to the newest reading, as the worker of a server does. */
    derive: async (newest: number) => {
      const failed = (of: object) => {
        throw of
      }
      const { aside, arrivals, top, first, readingsSince } = telemetry
      const latest = { get: (point: number) => ({ point, time: newest, value: 0, quality: 0, n: 0 }) }
      const needs = { aside, arrivals, top, first, readingsSince, latest }
      const worker = startDeriving({ database: kit.database, telemetry: needs, isOwner: () => true, clock, log: { warn: failed } })
      await worker.settle()
      await worker.stop()
    },
    close: async () => {
      await telemetry.close()
      await kit.close()
      await folder.remove()
    },
  }
}
