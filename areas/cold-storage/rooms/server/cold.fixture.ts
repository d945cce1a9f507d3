// A company with a gateway of a cold room, for tests.
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { maker } from '../../../../main/testing/drafts.ts'
import { startKit } from '../../../../main/testing/kit.ts'
import type { Database } from '../../../../server/database/db.ts'
import type { Sessions } from '../../../../server/identity/sessions.ts'
import { named } from '../../../../server/resource/sql.ts'
import { registryOf, temporaryFolder } from '../../../../server/telemetry/telemetry.fixture.ts'
import { openTelemetry, type Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { roomRoutes } from './routes.ts'

type Needs = { telemetry: Telemetry; clock: () => number; database: Database; sessions: Sessions; folder: string }
export const startCold = async (clock: () => number, more: readonly ((app: FastifyInstance, needs: Needs) => void)[] = []) => {
  const folder = await temporaryFolder('cold')
  const log = { warn: () => {}, error: () => {} } as never
  const telemetry = await openTelemetry({ folder: folder.folder, registry: registryOf([]), clock, log })
  const kit = await startKit({
    clock,
    areas: (database, sessions) =>
      [roomRoutes, ...more].map(
        (routes) => (api: FastifyInstance) => routes(api, { telemetry, clock, database, sessions, folder: folder.folder }),
      ),
  })
  await kit.db.rows(sql`update enterprise set "TimeZoneKey" = 'Europe/Madrid' where "Id" = ${kit.enterprises.ours}`)
  const make = maker(kit)
  const { Id: ProjectId } = await make.create(named('project'))
  const gateway = await make.create(named('gateway'), { ProjectId })
  const { Id: DeviceId } = await make.create(named('device'), { GatewayId: gateway.Id })
  const SN = String(gateway.SN)
  const point = async (ParaName: string, ParaUnitName: string, more: object = {}) =>
    (await make.create(named('point'), { DeviceId, ParaName, ParaUnitName, ...more })).Id
  const room = async (StorageName: string, more: object = {}) =>
    (
      await kit.data<{ Id: number }>('owner', 'POST', '/ColdStorage/InfoPC', {
        ...{ StorageName, ProjectId, StorageType: 1, TempLow: 2, TempHigh: 8, ...more },
      })
    ).Id
  return {
    ...{ kit, make, telemetry, ProjectId, DeviceId, SN, GatewayId: gateway.Id, point, room },
    /** A room with a temperature sensor, ready since a moment on the wall of UTC. */
    ready: async (StorageName: string, BindTime?: string, more: object = {}, sensor: object = {}) => {
      const Id = await room(StorageName, more)
      const ParaId = await point(`${StorageName} air`, '°C')
      const Sensors = [{ ParaId, SensorType: 1, ...sensor }]
      await kit.data('owner', 'POST', '/ColdStorage/Init', { Id, SN, Sensors, ...(BindTime ? { BindTime } : {}) })
      return { Id, ParaId }
    },
    load: async (rows: readonly { point: number; time: number; value: number | null; quality?: number }[]) => {
      for (const of of Map.groupBy(rows, ({ time }) => Math.floor(time / 86_400_000)).values())
        await telemetry.load(
          (async function* () {
            yield of.map((row) => ({ quality: 0, ...row }))
          })(),
        )
    },
    close: async () => {
      await telemetry.close()
      await kit.close()
      await folder.remove()
    },
  }
}
