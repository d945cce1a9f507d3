import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

/** What Node runs for one of our programs, such as main/server.ts: its bundle where the run has one (serverBundle.ts), else its source. */
export const programOf = (source: string) => {
  const folder = inject('bundle')
  const bundle = folder && join(folder, source.replace(/^.*\/|\.ts$/g, '').concat('.js'))
  return bundle && existsSync(bundle) ? bundle : join(import.meta.dirname, '../..', source)
}
