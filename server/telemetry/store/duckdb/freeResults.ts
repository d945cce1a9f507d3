// Frees results of DuckDB in time. Its binding frees them once V8 has collected their handles, and V8 does not know how large they are:
// a long read would hold 150 MiB of results that nothing uses any more.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void

/** Rows of used results that may wait: about 40 MiB with their copies. */
const mostRows = 400_000

/** Counts rows of results that are no longer used. Every so many, the young generation is collected, which takes a few ms. */
export const freeingResults = () => {
  let rows = 0
  return (more: number) => {
    rows += more
    if (rows < mostRows) return
    rows = 0
    collect({ type: 'minor' })
  }
}
