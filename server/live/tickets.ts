import { randomBytes } from 'node:crypto'
import type { Language } from '../../contract/languages.ts'
import { Fault } from '../http/faults.ts'
import type { Actor } from '../identity/actor.ts'
import type { Limits } from './limits.ts'

/** `language`: the one asked for at negotiation; else the person's own holds. */
export type Ticket = { actor: Actor; bearer: string; role: number | undefined; language: Language | undefined; expires: number }

/** Connection tokens of negotiate: each opens one socket, once, within `ticketMs` (ruling 39). */
export const createTickets = (limits: Limits, clock: () => number) => {
  const open = new Map<string, Ticket>()
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
    issue(actor: Actor, bearer: string, { role, language }: { role?: number | undefined; language?: Language | undefined } = {}): string {
      sweep()
      const count = (of: (one: Actor) => boolean) => open.values().reduce((n, t) => n + Number(of(t.actor)), 0)
      const isFull =
        open.size >= limits.tickets || count((a) => a.EnterpriseId === actor.EnterpriseId) >= limits.tickets * limits.shareOfTenant
      if (isFull || count((a) => a.session === actor.session) >= limits.connectionsPerSession) throw new Fault('tooMany')
      const token = randomBytes(24).toString('base64url')
      open.set(token, { actor, bearer, role, language, expires: clock() + limits.ticketMs })
      return token
    },
    redeem(token: string): Ticket | undefined {
      const ticket = open.get(token)
      open.delete(token)
      return ticket && ticket.expires > clock() ? ticket : undefined
    },
    revoke(ended: (actor: Actor) => boolean) {
      for (const [token, t] of open) if (ended(t.actor)) open.delete(token)
    },
  }
}
