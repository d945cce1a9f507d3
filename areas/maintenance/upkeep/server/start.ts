import type { Context } from '../../../../server/context.ts'
import { startWorker } from '../../../../server/jobs/worker.ts'
import type { CopyFile } from '../../job-sheets/server/service.ts'
import { type planCalls, upkeepCalls } from '../contract.ts'
import { makeCounted } from './counting.ts'
import { type Kind, upkeep } from './kind.ts'
import { closeMissed, makeDue } from './making.ts'
import { planRoutes } from './routes.ts'

const pollMs = 10_000
/** Serves plans and their orders; creates due orders and closes missed ones. */
export const startPlans = (c: Context, kind: Kind, calls: ReturnType<typeof planCalls>, copyFile?: CopyFile) => {
  const { database, clock, log, telemetry } = c
  const worker = startWorker({
    database,
    run: async () => {
      if (!c.isOwner()) return
      await makeDue(kind, database, clock())
      await makeCounted(kind, database, telemetry, clock())
      await closeMissed(kind, database, clock())
    },
    triggeredBy: ({ resource }) => resource === kind.plan.name,
    failed: (err) => log.warn({ err }, 'orders of plans were not made; trying again'),
    pollMs,
  })
  c.opened(worker, () => worker.stop())
  c.routes.push((app) => planRoutes(app, kind, { clock, calls, telemetry, ...(copyFile && { copyFile }) }))
}
export const startUpkeep = (c: Context, copyFile: CopyFile) => startPlans(c, upkeep, upkeepCalls, copyFile)
