import { expect, it } from 'vitest'
import { daysAround, keyed, loadOf, moved } from './calendar.ts'

it('a month has whole weeks from Monday, and keys go on beyond its edges', () => {
  const march = daysAround('2026-03-15', 'month')
  expect([march[0], march.at(-1), march.length]).toEqual(['2026-02-23', '2026-04-05', 42])
  expect(daysAround('2026-02-10', 'month')).toHaveLength(35)
  expect(daysAround('2026-03-01', 'week')).toEqual([
    '2026-02-23',
    '2026-02-24',
    '2026-02-25',
    '2026-02-26',
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
  ])
  expect(moved('2026-01-31', 1, 'month')).toBe('2026-02-28')
  const to = (key: string) => keyed(key, '2026-03-01', 'month')
  expect(['ArrowLeft', 'ArrowDown', 'PageUp', 'Home', 'End', 'a'].map(to)).toEqual([
    ...['2026-02-28', '2026-03-08', '2026-02-01', '2026-02-23', '2026-03-01'],
    undefined,
  ])
})

it('load counts machines of plans and orders by person', () => {
  const of = { day: '2026-03-01', title: 'x', key: '1' }
  const load = loadOf([
    { ...of, kind: 'plan', isOpen: true, count: 3, person: 'Ada' },
    { ...of, kind: 'upkeep', isOpen: true, count: 1, person: 'Ada' },
    { ...of, kind: 'upkeep', isOpen: false, count: 1, person: 'Ada' },
    { ...of, kind: 'repair', isOpen: true, count: 1, person: null },
  ])
  expect(load).toEqual([
    { person: 'Ada', planned: 3, open: 1, done: 1 },
    { person: null, planned: 0, open: 1, done: 0 },
  ])
})
