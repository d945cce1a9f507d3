import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

/** Benchmarks start programs outside of a run of tests. */
const bundles = () => {
  try {
    return inject('bundle')
  } catch {
    return undefined
  }
}

/** What Node runs for one of our programs, such as main/server.ts: its bundle where the run has one (serverBundle.ts), else its source. */
export const programOf = (source: string) => {
  const folder = bundles()
  const bundle = folder && join(folder, source.replace(/^.*\/|\.ts$/g, '').concat('.js'))
  return bundle && existsSync(bundle) ? bundle : join(import.meta.dirname, '../..', source)
}
