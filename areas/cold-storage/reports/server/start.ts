import type { Context } from '../../../../server/context.ts'
import type { FileStore } from '../../../../server/files/store.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { openAttempts } from '../../../../server/identity/attempts.ts'
import { coldReportRoutes } from './routes.ts'
import { startReportWorker } from './worker.ts'

type Given = { store: FileStore; files: { usage(actor: Actor): Promise<{ Used: number; Quota: number }> }; font: string | undefined }

export const startColdReports = (c: Context, { store, files, font }: Given) => {
  const { database, telemetry, isOwner, clock, log } = c
  c.opened(startReportWorker({ database, store, telemetry, isOwner, clock, log }), (worker) => worker.stop())
  const signs = { system: database.system, attempts: openAttempts(database.system, clock) }
  c.routes.push((app) => coldReportRoutes(app, { ...signs, store, clock, steady: c.steady, telemetry, font, usage: files.usage }))
}
