// What passes between the main thread and the worker that runs scripts.
import type { Input, Meta, Outcome, Write } from '../contract/parsing/script.ts'

export type Call =
  | { do: 'parse'; input: Input; topic: string; payload: Uint8Array; meta: Meta }
  | { do: 'encode'; write: Write }
  /** Whether it compiles and has the function `parse`. */
  | { do: 'compile' }
/** `code` comes with the first call of a script. `isTest`: in a world of its own, with the lines it writes. */
export type Job = { id: number; tenant: number; script: string; code?: string; isTest?: boolean; call: Call }
export type ToWorker = { jobs: Job[] } | { forget: string; tenant: number } | { close: number }
export type Done = { id: number; outcome: Outcome }
