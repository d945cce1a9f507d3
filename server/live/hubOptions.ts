import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import type { LiveValue } from '../../contract/hub.ts'
import type { Actor } from '../identity/actor.ts'
import type { Limits } from './limits.ts'

export type HubOptions = {
  /**
   * The actor of a bearer token; why it ended for a session that is over, nothing for a token that never was. As a role, the actor is
   * a person with that role alone (preview).
   */
  authenticate: (bearer: string | undefined, role?: number) => Promise<Actor | { ended: string } | undefined>
  /** Those of the points that the actor may see. */
  visible: (actor: Actor, paraIds: readonly number[]) => Promise<number[]>
  latest: (paraId: number) => LiveValue | undefined
  /** For values from another process: `watch` subscribes and fetches `latest`, `leave` unsubscribes. */
  watches?: { watch: (paraIds: readonly number[]) => Promise<void>; leave: (paraId: number) => void }
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Epoch ms. */
  clock?: () => number
  limits?: Partial<Limits>
  /** Whether a page of this origin may open a socket; by default only pages of the same host. Not asked for clients that are no browser. */
  allowOrigin?: (origin: string, request: IncomingMessage) => boolean
}
