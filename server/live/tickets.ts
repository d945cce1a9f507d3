import { randomBytes } from 'node:crypto'
import type { Language } from '../../contract/languages.ts'
import { Fault } from '../http/faults.ts'
import type { Actor } from '../identity/actor.ts'
import type { Limits } from './limits.ts'

/** `language`: the one requested at negotiation; the person's own by default. */
export type HubTicket = { role: number | undefined; language: Language | undefined }
export type Ticket<More> = More & { actor: Actor; bearer: string; expires: number }
type Bounds = Pick<Limits, 'tickets' | 'ticketMs' | 'shareOfTenant' | 'connectionsPerSession'>

/** Tokens that open one socket each, once, within `ticketMs` (ruling 39). */
export const createTickets = <More extends object>(limits: Bounds, clock: () => number) => {
  const open = new Map<string, Ticket<More>>()
  const sweep = () => {
    const now = clock()
    for (const [token, t] of open) if (t.expires <= now) open.delete(token)
  }
  return {
    sweep,
    get size() {
      return open.size
    },
    /** @throws Fault `tooMany` above the limits per session, per tenant or in total. */
    issue(actor: Actor, bearer: string, more: More): string {
      sweep()
      const count = (of: (one: Actor) => boolean) => open.values().reduce((n, t) => n + Number(of(t.actor)), 0)
      const isFull =
        open.size >= limits.tickets || count((a) => a.EnterpriseId === actor.EnterpriseId) >= limits.tickets * limits.shareOfTenant
      if (isFull || count((a) => a.session === actor.session) >= limits.connectionsPerSession) throw new Fault('tooMany')
      const token = randomBytes(24).toString('base64url')
      open.set(token, { ...more, actor, bearer, expires: clock() + limits.ticketMs })
      return token
    },
    redeem(token: string): Ticket<More> | undefined {
      const ticket = open.get(token)
      open.delete(token)
      return ticket && ticket.expires > clock() ? ticket : undefined
    },
    revoke(ended: (actor: Actor) => boolean) {
      for (const [token, t] of open) if (ended(t.actor)) open.delete(token)
    },
  }
}
