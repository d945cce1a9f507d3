// A company whose cold rooms have reports, with an author, a checker and an approver.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Row } from '../../../../contract/resource.ts'
import { openFolder } from '../../../../server/files/store.ts'
import { openAttempts } from '../../../../server/identity/attempts.ts'
import { fileRoutes } from '../../../system/files/server/routes.ts'
import { filesService } from '../../../system/files/server/service.ts'
import { coldEnergyRoutes } from '../../energy/server/routes.ts'
import { coldFigureRoutes } from '../../figures/server/routes.ts'
import { startCold } from '../../rooms/server/cold.fixture.ts'
import type { coldReport } from '../contract.ts'
import { coldReportRoutes } from './routes.ts'
import { startReportWorker } from './worker.ts'

export type Report = Row<typeof coldReport>
export const [minute, hour] = [60_000, 3_600_000]

export const startReports = async (clock: () => number) => {
  let store!: ReturnType<typeof openFolder>
  const cold = await startCold(clock, [
    coldFigureRoutes,
    coldEnergyRoutes,
    (app, { database, sessions, telemetry, folder }) => {
      store = openFolder(join(folder, 'files'))
      const files = filesService(database, store, randomBytes(32), clock)
      fileRoutes(app, files, sessions)
      const signs = { system: database.system, attempts: openAttempts(database.system, clock) }
      coldReportRoutes(app, { ...signs, store, clock, telemetry, font: undefined, usage: files.usage, steady: clock })
    },
  ])
  const { kit } = cold
  const warned: unknown[] = []
  const worker = startReportWorker({
    ...{ database: kit.database, store, telemetry: cold.telemetry, isOwner: () => true, clock },
    log: { warn: (of: unknown) => void warned.push(of) },
  })
  for (const name of ['checker', 'approver']) await kit.person(name, kit.enterprises.ours)
  const calibration = { CalibDate: '2026-03-01', CalibDue: '2027-03-01' }
  return {
    ...{ cold, kit, store, warned },
    settle: () => worker.settle(),
    /** A room with calibrated points; `value` gives the value of a point at so many ms. */
    mapped: async (
      name: string,
      count: number,
      from: number,
      to: number,
      value: (point: number, at: number) => number,
      step = 5 * minute,
    ) => {
      const since = '2026-03-01 00:00:00'
      const { Id, ParaId } = await cold.ready(name, since, { TempSet: 5 }, { ...calibration, X: 0, Y: 0 })
      const ids = [ParaId]
      for (let i = 1; i < count; i++) {
        const point = await cold.point(`${name} ${i}`, '°C')
        const place = { X: (i % 3) * 3, Y: Math.floor(i / 3) * 3 }
        await kit.data('owner', 'POST', '/ColdStorage/Bind', {
          ...{ ColdStorageId: Id, ParaId: point, SensorType: 1, BindTime: since, ...calibration, ...place },
        })
        ids.push(point)
      }
      const readings = (point: number, i: number) =>
        Array.from({ length: (to - from) / step }, (_, k) => ({
          point,
          time: from + k * step,
          value: value(i, k * step),
        }))
      await cold.load(ids.flatMap(readings))
      return { Id, ids }
    },
    check: (ColdStorageId: number, Start: number, End: number, more: object = {}, as = 'owner', end = '') =>
      kit.call<Report>(as, 'POST', `/ColdStorage/GenerateReportCheck${end}`, {
        ...{ ColdStorageId, Start, End, CheckKind: 1, LoadState: 0, Season: 1, ...more },
      }),
    find: (id: number, as = 'owner') => kit.data<Report>(as, 'GET', `/ColdStorage/Report?Id=${id}`),
    act: (name: string, Id: number, more: object, as: string) =>
      kit.call<Report>(as, 'POST', `/ColdStorage/Report/${name}`, { Id, Pwd: kit.password, ...more }),
    close: async () => {
      await worker.stop()
      await cold.close()
    },
  }
}
