// Kinds of background exports. A kind checks permissions and writes its file; the queue does the rest.
import type { Language } from '../../../../contract/languages.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Format } from './queue.ts'

export type Running = {
  signal: AbortSignal
  /** Rows of the file so far, of how many, and how much of the work is done (0 to 1) where their number is not known. */
  report: (done: number, total: number | null, share?: number) => Promise<void> | void
}
/** Rows of the file; `sha256` where the log names it. */
export type Written = number | { rows: number; sha256: string }
export type Write = (path: string, running: Running) => Promise<Written>

/** What a person asked for, judged and ready to be written. */
export type Prepared = {
  /** Resource of the task, by which the log names it. */
  resource: string
  /** Required permission. Losing it ends the task and access to its file. */
  permission: string
  format: Format
  fileName: string
  /** As it was asked for, for the log. */
  filters: object
  write: Write
}

/** A kind whose tasks restart after a server restart, with their owners' current permissions. */
export type TaskKind = {
  kind: number
  permission: string
  prepare: (actor: Actor, ask: object, given: { language: Language; time: number }) => Promise<Prepared>
}
