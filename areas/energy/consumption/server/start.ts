// Starts derivation, hint alarms and routes of energy consumption.
import type { Context } from '../../../../server/context.ts'
import { startHintAlarms } from './hintAlarms.ts'
import { consumptionRoutes } from './routes.ts'
import { startDeriving } from './worker.ts'

export const startConsumption = (c: Context, font: string | undefined) => {
  c.opened(startDeriving(c), (worker) => worker.stop())
  c.opened(startHintAlarms(c), (worker) => worker.stop())
  c.routes.push((app) => consumptionRoutes(app, { ...c, paper: { font } }))
}
