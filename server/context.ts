import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Channels } from './channels/channels.ts'
import type { Database } from './database/db.ts'
import type { Limits } from './http/limits.ts'
import type { Sessions } from './identity/sessions.ts'
import type { Vault } from './identity/vault.ts'
import type { Hub } from './live/hub.ts'
import type { Telemetry } from './telemetry/telemetry.ts'

/** What an area starts with. It opens what it runs, and adds its routes. */
export type Context = {
  log: Logger
  /** ms since 1970, of the clock that people set. */
  clock: () => number
  /** ms of a monotonic clock, for durations. */
  steady: () => number
  database: Database
  /** False while another process may own the database. */
  isOwner: () => boolean
  sessions: Sessions
  vault: Vault
  telemetry: Telemetry
  hub: Hub
  channels: Channels
  /** Rate limits of calls. */
  callLimits: Limits
  /** Runs scripts of people. */
  sandbox: Sandbox
  /** The folder of the installation's files. */
  data: string
  /** The address that people use, where it is set. */
  url: string | undefined
  /** Returns the thing, and closes it with the server: what was opened last closes first. */
  opened: <T>(thing: T, undo: (thing: T) => unknown) => T
  /** Routes below `/api`. */
  routes: ((api: FastifyInstance) => void)[]
}
