import { randomUUID } from 'node:crypto'
import { Fault } from '../../../../server/http/faults.ts'
import { confirmedMs } from '../contract.ts'

/** Lifetime of a ticket, maximum tickets of one person, and number of people with tickets above which old ones are removed. */
const [openMs, mostOfOne, mostPeople] = [600_000, 50, 1000]
/** Maximum drift of a browser's monotonic clock ahead of ours while a dialog is open, ms. */
const aheadMs = 1000

type Open = { of: string; until: number }
/**
 * Tickets of confirmation dialogs before a write. Each comes with the server's time and allows one write of one person within 10 s
 * after the confirmation. Later or repeated requests write nothing.
 */
export const openConfirmations = (clock: () => number) => {
  const people = new Map<number, Map<string, Open>>()
  const forgetOld = (now: number) => {
    for (const [id, tickets] of people) if ([...tickets.values()].every(({ until }) => until < now)) people.delete(id)
  }
  return {
    give(UserId: number, of: string) {
      const now = clock()
      if (people.size >= mostPeople) forgetOld(now)
      const tickets = people.get(UserId) ?? new Map<string, Open>()
      people.set(UserId, tickets)
      if (tickets.size >= mostOfOne) tickets.delete(tickets.keys().next().value!)
      const Ticket = randomUUID()
      tickets.set(Ticket, { of, until: now + openMs })
      return { Ticket, Time: now }
    },
    /** Consumes a ticket. @throws Fault `confirmAgain` */
    take(UserId: number, of: string, { Ticket, Confirmed }: { Ticket: string; Confirmed: number }) {
      const now = clock()
      const open = people.get(UserId)?.get(Ticket)
      people.get(UserId)?.delete(Ticket)
      const isGood = open?.of === of && now <= open.until
      if (!isGood || now - Confirmed > confirmedMs || Confirmed - now > aheadMs) throw new Fault('confirmAgain')
    },
  }
}
