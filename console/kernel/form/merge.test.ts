import fc from 'fast-check'
import { expect, it } from 'vitest'
import { clashes } from './merge.ts'

const fields = ['a', 'b', 'c', 'd']
const row = fc.record(Object.fromEntries(fields.map((f) => [f, fc.option(fc.integer({ min: 0, max: 2 }))])))

it('a field that both changed is asked about, and one that only the other changed takes his value', () => {
  const base = { a: 1, b: 1, c: 1, d: 1 }
  expect(clashes(fields, base, { a: 2, b: 1, c: 2, d: 3 }, { a: 3, b: 3, c: 1, d: 3 })).toEqual([
    { field: 'a', mine: 2, theirs: 3, keep: 'mine' },
    { field: 'b', mine: 1, theirs: 3, keep: 'theirs' },
  ])
})

it('asks nothing if no other person changed it, or both made the same change', () => {
  fc.assert(fc.property(row, row, (base, entered) => clashes(fields, base, entered, base).length === 0))
  fc.assert(fc.property(row, row, (base, entered) => clashes(fields, base, entered, entered).length === 0))
})

it('without a choice, every changed field keeps its change, mine first', () => {
  fc.assert(
    fc.property(row, row, row, (base, entered, current) => {
      const asked = new Map(clashes(fields, base, entered, current).map((c) => [c.field, c]))
      for (const f of fields) {
        const ended = asked.get(f)?.keep === 'theirs' ? current[f] : entered[f]
        expect(ended).toBe(entered[f] !== base[f] ? entered[f] : current[f])
      }
    }),
  )
})
