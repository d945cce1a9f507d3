import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FlowRow } from '../../contract.ts'
import { type Band, bandsOf, treeOf } from './bands.ts'

const row = (EnergyInfoId: number, ParentId: number | null, Energy: number, rest: Partial<FlowRow> = {}) =>
  ({ EnergyInfoId, ParentId, Energy, Rest: null, Others: null, ...rest }) as FlowRow
const amount = fc.integer({ min: 0, max: 1000 })
const family = fc.record({ children: fc.array(amount, { maxLength: 25 }), loss: amount, others: amount })

test('children, what nobody may see and what is lost are the parent, however many they are', () => {
  fc.assert(
    fc.property(fc.array(family, { minLength: 1, maxLength: 14 }), amount, (families, loss) => {
      const rows: FlowRow[] = []
      let whole = loss
      for (const [i, { children, loss, others }] of families.entries()) {
        const id = 100 * (i + 1)
        const energy = children.reduce((sum, one) => sum + one, loss + others)
        whole += energy
        const rest = children.length ? { Rest: loss + others, Others: others || null } : {}
        rows.push(row(id, 1, energy, rest), ...children.map((one, k) => row(id + k + 1, id, one)))
      }
      rows.push(row(1, null, whole, { Rest: loss }))
      const expectWhole = ({ value, parts }: Band) => {
        if (parts.length) expect(parts.reduce((sum, part) => sum + part.value, 0)).toBe(value)
        for (const part of parts) expectWhole(part)
      }
      for (const from of [undefined, 1, 100]) for (const band of bandsOf(treeOf(rows), from)) expectWhole(band)
    }),
  )
})
