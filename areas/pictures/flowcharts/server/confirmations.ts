import { randomUUID } from 'node:crypto'
import { Fault } from '../../../../server/http/faults.ts'
import { confirmedMs } from '../contract.ts'

/** How long a dialog may be open, tickets of one person, and people with tickets before the old ones are looked for. */
const [openMs, mostOfOne, mostPeople] = [600_000, 50, 1000]
/** By how much a browser's monotonic clock may run ahead of ours while a dialog is open. */
const aheadMs = 1000

type Open = { of: string; until: number }
/**
 * Tickets of dialogs that ask before a write. Each comes with the server's time, is good for one write of one person, and counts for 10 s
 * after he confirms. What arrives later, or twice, writes nothing.
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
    /** Uses a ticket up. @throws Fault `confirmAgain` */
    take(UserId: number, of: string, { Ticket, Confirmed }: { Ticket: string; Confirmed: number }) {
      const now = clock()
      const open = people.get(UserId)?.get(Ticket)
      people.get(UserId)?.delete(Ticket)
      const isGood = open?.of === of && now <= open.until
      if (!isGood || now - Confirmed > confirmedMs || Confirmed - now > aheadMs) throw new Fault('confirmAgain')
    },
  }
}
