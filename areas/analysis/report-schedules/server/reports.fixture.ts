// A company with two points, a template about them and a mail server, for tests of what schedules make.
import { sql } from 'kysely'
import { startMailServer } from '../../../../main/testing/providers.ts'
import { temporaryFolder } from '../../../../server/telemetry/telemetry.fixture.ts'
import { openTelemetry, type Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { type Plant, startPlant } from '../../../configuration/gateways/server/harness.ts'
import { reportGroupRoutes } from '../../report-groups/server/routes.ts'
import { reportTemplateRoutes } from '../../reports/server/routes.ts'
import { loadLevels } from './levels.fixture.ts'
import { openMailChannel } from './mail.fixture.ts'
import { reportScheduleRoutes } from './routes.ts'
import { openReportRuns, type ReportRuns } from './runner.ts'

const hour = 3_600_000
const log = { warn: () => undefined, error: () => undefined }
/** A Friday in Madrid. */
export const start = Date.parse('2026-03-27T00:00:00+01:00')

/** `clock`: wall clock. `steady`: monotonic clock of throttles; the same by default. */
export type Times = { clock: () => number; steady?: () => number }

export const startReports = async ({ clock, steady = clock }: Times) => {
  const mail = await startMailServer()
  const stored = await temporaryFolder('report-schedules')
  const lazy = <T extends object>(of: () => T) => new Proxy({} as T, { get: (_, name) => Reflect.get(of(), name) })
  let [plant, telemetry, runs] = [] as unknown as [Plant, Telemetry, ReportRuns]
  const reader = { telemetry: lazy(() => telemetry), database: lazy(() => plant.kit.database) }
  const sessions = { actorOf: (...of: Parameters<Plant['kit']['sessions']['actorOf']>) => plant.kit.sessions.actorOf(...of) }
  plant = await startPlant({
    routes: [
      reportGroupRoutes,
      (api) => reportTemplateRoutes(api, reader),
      (api) =>
        reportScheduleRoutes(
          api,
          lazy(() => runs),
          { database: reader.database, sessions, clock, steady },
        ),
    ],
  })
  const { kit } = plant
  const files = `${stored.folder}/reports`
  const channels = await openMailChannel(plant, { port: mail.port, clock, files, log })
  telemetry = await openTelemetry({ folder: stored.folder, registry: plant.registry, clock, log })
  const needs = { database: kit.database, sessions: kit.sessions, telemetry, delivery: channels.delivery, folder: files }
  runs = openReportRuns({ ...needs, font: undefined, clock, url: 'https://plant.example/', log })
  const { points } = await plant.equip(2)
  await kit.db.rows(sql`update "user" set "Email" = "UserNO" || '@example.com', "Language" = 'en'`)
  await kit.db.rows(sql`update enterprise set "TimeZoneKey" = 'Europe/Madrid'`)
  await kit.sessions.changed('all')
  await loadLevels(telemetry, points, start, start + 12 * hour)
  const data = <T>(method: string, path: string, body?: unknown, as = 'owner') => kit.data<T>(as, method, `/DataCenter/${path}`, body)
  const group = await data<{ Id: number }>('POST', 'ReportGroup', {
    ...{ GroupName: 'Pumps', GroupType: 3, Points: points.map((ParaId) => ({ ParaId })) },
  })
  const draft = { TemplateName: 'Hand-over', GroupId: group.Id, Period: 'day', Blocks: [{ Type: 'keyFigures' }, { Type: 'comparison' }] }
  const template = (await data<{ Id: number }>('POST', 'ReportTemplate', draft)).Id
  return {
    ...{ plant, runs, mail, channels, telemetry, points, template, files, data },
    close: async () => {
      await runs.close()
      await channels.delivery.stop()
      await telemetry.close()
      await plant.close()
      await stored.remove()
      await mail.close()
    },
  }
}
