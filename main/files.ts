import { join } from 'node:path'
import { filesService } from '../areas/system/files/server/service.ts'
import type { Database } from '../server/database/db.ts'
import { openS3 } from '../server/files/s3.ts'
import { openFolder } from '../server/files/store.ts'
import { installationKey } from '../server/identity/installation.ts'
import type { Settings } from './settings.ts'

export type Stored = Awaited<ReturnType<typeof openFiles>>

/** Storage of uploaded files, and the rights to read them. */
export const openFiles = async ({ data, s3Url }: Pick<Settings, 'data' | 's3Url'>, database: Database, clock: () => number) => {
  const store = s3Url ? openS3(s3Url) : openFolder(join(data, 'files'))
  return { store, files: filesService(database, store, await installationKey(database.system, 'files'), clock) }
}
