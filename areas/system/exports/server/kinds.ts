// Kinds of background exports. A kind checks permissions and writes its file; the queue does the rest.
import type { Language } from '../../../../contract/languages.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Format } from './queue.ts'

export type Running = {
  signal: AbortSignal
  /** Reports the rows written so far, their total, and the share of the work (0 to 1) if the total is unknown. */
  report: (done: number, total: number | null, share?: number) => Promise<void> | void
}
/** Number of rows; `sha256` if the log records it. */
export type Written = number | { rows: number; sha256: string }
export type Write = (path: string, running: Running) => Promise<Written>

/** A checked request that is ready to be written. */
export type Prepared = {
  /** Resource of the task, for the log. */
  resource: string
  /** Required permission. Losing it ends the task and access to its file. */
  permission: string
  format: Format
  fileName: string
  /** Filters as requested, for the log. */
  filters: object
  write: Write
}

/** A kind whose tasks restart after a server restart, with their owners' current permissions. */
export type TaskKind = {
  kind: number
  permission: string
  prepare: (actor: Actor, ask: object, given: { language: Language; time: number }) => Promise<Prepared>
}
