import { expect, it } from 'vitest'
import type { Fault } from '../../../../server/http/faults.ts'
import { openConfirmations } from './confirmations.ts'

it('a confirmation counts for 10 s by the server’s time, once, for one person and one action', () => {
  let now = 1_000_000
  const confirmations = openConfirmations(() => now)
  const outcome = (person: number, of: string, given: { Ticket: string; Confirmed: number }) => {
    try {
      confirmations.take(person, of, given)
      return 'written'
    } catch (error) {
      return (error as Fault).key
    }
  }
  const give = () => confirmations.give(1, 'pump')
  const { Ticket, Time } = give()
  expect(Time).toBe(now)
  now += 60_000
  // The dialog was open for a minute before the confirmation; the request took 9 s.
  const given = { Ticket, Confirmed: now }
  now += 9000
  expect(outcome(1, 'pump', given)).toBe('written')
  expect(outcome(1, 'pump', given)).toBe('confirmAgain')
  expect(outcome(1, 'pump', { Ticket: give().Ticket, Confirmed: now - 10_001 })).toBe('confirmAgain')
  expect(outcome(1, 'pump', { Ticket: give().Ticket, Confirmed: now + 5000 })).toBe('confirmAgain')
  expect(outcome(2, 'pump', { Ticket: give().Ticket, Confirmed: now })).toBe('confirmAgain')
  expect(outcome(1, 'valve', { Ticket: give().Ticket, Confirmed: now })).toBe('confirmAgain')
  const old = give()
  now += 600_001
  expect(outcome(1, 'pump', { Ticket: old.Ticket, Confirmed: now })).toBe('confirmAgain')
})
