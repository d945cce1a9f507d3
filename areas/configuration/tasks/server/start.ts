import type { Context } from '../../../../server/context.ts'
import type { Gateways } from '../../gateways/server/service.ts'
import { projectTask, projectTaskRow } from '../contract.ts'
import { type ForeignKinds, kindsOf } from './kinds.ts'
import { taskRoutes } from './routes.ts'
import { startTaskRunner } from './runner.ts'

/** Starts the runner of project tasks and serves their calls. */
export const startTasks = (
  c: Context,
  { push, returned, readDevice }: Pick<Gateways, 'push' | 'returned' | 'readDevice'>,
  foreign: ForeignKinds,
) => {
  const kinds = kindsOf({ push, returned, readDevice, series: c.telemetry.query.series, clock: c.clock }, foreign)
  c.opened(startTaskRunner({ ...c, kinds, of: { task: projectTask, row: projectTaskRow } }), (runner) => runner.stop())
  c.routes.push(taskRoutes)
}
