import { randomUUID } from 'node:crypto'
import { Fault } from '../../../../server/http/faults.ts'

const ticketMs = 60_000

/** Tickets to download a backup by its address, valid once and for a minute. `find` throws unless the backup exists. */
export const downloadTickets = (find: (name: string) => unknown, clock: () => number) => {
  const tickets = new Map<string, { name: string; until: number }>()
  return {
    ticket(name: string): string {
      find(name)
      for (const [key, { until }] of tickets) if (until < clock()) tickets.delete(key)
      const key = randomUUID()
      tickets.set(key, { name, until: clock() + ticketMs })
      return key
    },
    redeem(key: string): string {
      const ticket = tickets.get(key)
      tickets.delete(key)
      if (!ticket || ticket.until < clock()) throw new Fault('notFound')
      return ticket.name
    },
  }
}
