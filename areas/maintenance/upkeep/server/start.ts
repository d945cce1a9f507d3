import type { Context } from '../../../../server/context.ts'
import { startWorker } from '../../../../server/jobs/worker.ts'
import { mtnUpKeepPlan } from '../contract.ts'
import { closeMissed, makeDue } from './making.ts'
import { upkeepRoutes } from './routes.ts'

const pollMs = 30_000
/** Serves plans and their orders; makes what is due, and closes what was missed. */
export const startUpkeep = (c: Context) => {
  const { database, clock, log } = c
  const worker = startWorker({
    database,
    run: async () => {
      if (!c.isOwner()) return
      await makeDue(database, clock())
      await closeMissed(database, clock())
    },
    triggeredBy: ({ resource }) => resource === mtnUpKeepPlan.name,
    failed: (err) => log.warn({ err }, 'orders of upkeep were not made; trying again'),
    pollMs,
  })
  c.opened(worker, () => worker.stop())
  c.routes.push((app) => upkeepRoutes(app, { clock }))
}
