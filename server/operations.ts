// Running the platform: files, timers, logs, backup, monitoring; composed here so that the start stays readable.
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { fileRoutes } from './areas/files/routes.ts'
import { filesService } from './areas/files/service.ts'
import type { Database } from './database/db.ts'
import { openS3 } from './files/s3.ts'
import { openFolder } from './files/store.ts'
import { installationKey, type Sessions } from './identity/sessions.ts'
import type { Settings } from './settings.ts'

type Parts = { settings: Pick<Settings, 'data' | 's3Url'>; database: Database; sessions: Sessions; clock: () => number }

export const startOperations = async ({ settings, database, sessions, clock }: Parts) => {
  const store = settings.s3Url ? openS3(settings.s3Url) : openFolder(join(settings.data, 'files'))
  const files = filesService(database, store, await installationKey(database.system, 'files'), clock)
  return {
    routes: [(api: FastifyInstance) => fileRoutes(api, files, sessions)],
    close: async () => undefined,
  }
}
