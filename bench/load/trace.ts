// Loaded into the server by BENCH_TRACE=<folder>: a line of JSON for everything that holds up an acknowledgement, in the order of its
// end. `at` is its start in epoch ms, `ms` how long it took.
import { createWriteStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { constants, PerformanceObserver, performance } from 'node:perf_hooks'
import { DuckDBConnection } from '@duckdb/node-api'

const out = createWriteStream(join(process.env.BENCH_TRACE!, `trace-${process.pid}.jsonl`))
const log = join(process.env.PENSTOCK_DATA!, 'telemetry/store/telemetry.duckdb.wal')
const tenths = (value: number) => Number(value.toFixed(1))
const write = (line: { at: number; what: string; ms: number }) => out.write(`${JSON.stringify(line)}\n`)
const note = (what: string, start: number, more: object = {}) =>
  write({ at: Math.round(performance.timeOrigin + start), what, ms: tenths(performance.now() - start), ...more })
/** MB of DuckDB's log, which a checkpoint empties. */
const logSize = () => tenths((statSync(log, { throwIfNoEntry: false })?.size ?? 0) / 1e6)

const { run, createAppender } = DuckDBConnection.prototype
/** Rows that each connection has appended since its last commit. */
const appended = new WeakMap<DuckDBConnection, number>()
DuckDBConnection.prototype.run = async function (sql, ...more) {
  const start = performance.now()
  const rows = appended.get(this) ?? 0
  const before = rows ? logSize() : 0
  try {
    return await run.call(this, sql, ...more)
  } finally {
    if (sql === 'commit' && rows) {
      appended.delete(this)
      const after = logSize()
      note(after < before ? 'commit, checkpoint' : 'commit', start, { rows, log: after })
    } else if (performance.now() - start > 20) note(sql.trim().replaceAll(/\s+/g, ' ').slice(0, 60), start)
  }
}
DuckDBConnection.prototype.createAppender = async function (...names) {
  const start = performance.now()
  const appender = await createAppender.apply(this, names)
  const { appendDataChunk, closeSync } = appender
  appender.appendDataChunk = (chunk) => {
    appended.set(this, (appended.get(this) ?? 0) + chunk.rowCount)
    appendDataChunk.call(appender, chunk)
  }
  appender.closeSync = () => {
    const filled = performance.now()
    closeSync.call(appender)
    note('append', start, { flush: tenths(performance.now() - filled) })
  }
  return appender
}

/** The main thread was held for longer than this, ms. */
const held = 20
let due = performance.now()
setInterval(() => {
  if (performance.now() - due > held) note('held', due)
  due = performance.now() + 5
}, 5).unref()

const kinds: Record<number, string> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
}
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const kind = kinds[(entry as PerformanceEntry & { detail: { kind: number } }).detail.kind] ?? 'weak'
    write({ at: Math.round(performance.timeOrigin + entry.startTime), what: `gc ${kind}`, ms: tenths(entry.duration) })
  }
}).observe({ entryTypes: ['gc'] })
