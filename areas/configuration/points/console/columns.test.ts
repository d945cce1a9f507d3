import { describe, expect, it } from 'vitest'
import { inSections } from '../../../../console/kernel/list/columnGroups.ts'
import type { Field } from '../../../../contract/field.ts'
import { columnFields, pointColumns } from '../../../../contract/point-fields.ts'
import { faultOf, usualColumns } from './columns.ts'

const fieldOf = (name: string): Field => (columnFields as Record<string, Field>)[name]!

describe('the columns of the point table', () => {
  it('are 26 fields beside the device, each in one group', () => {
    const columns = pointColumns.map((Field) => ({ Field, Width: null, Fixed: null, Visible: 1 as const }))
    const groups = inSections(columns, (name) => fieldOf(name).section ?? '')
    expect(groups.flatMap(({ members }) => members)).toEqual(columns)
    expect(groups.every(({ section }) => section !== '')).toBe(true)
  })

  it('keep one heading for a section that the frozen edge parts', () => {
    const columns = usualColumns.map((Field, i) => ({ Field, Width: null, Fixed: i ? null : ('left' as const), Visible: 1 as const }))
    const groups = inSections(columns, (name) => fieldOf(name).section ?? '')
    expect(groups.slice(0, 3).map(({ members, span }) => [members.length, span])).toEqual([
      [1, 2],
      [1, 0],
      [4, 4],
    ])
    expect(groups.reduce((sum, { span }) => sum + span, 0)).toBe(columns.length)
  })

  it('that are seen at first exist', () => {
    expect(usualColumns.every((name) => pointColumns.includes(name))).toBe(true)
  })
})

describe('an entered value', () => {
  it('is refused when an address has line breaks', () => {
    for (const address of ['100\n', '\t7']) expect(faultOf(fieldOf('Address'), address)).toBe('form.pattern')
    for (const address of ['0', '100.15', 'DB10.DBD4', 'nsu=urn:plant;s=Flow 1'])
      expect(faultOf(fieldOf('Address'), address)).toBeUndefined()
  })

  it('is refused outside its range, as a fraction of a whole number, and when it is needed but missing', () => {
    expect(faultOf(fieldOf('SlaveNumber'), 256)).toBe('form.range')
    expect(faultOf(fieldOf('SlaveNumber'), 1.5)).toBe('form.integer')
    expect(faultOf(fieldOf('ParaName'), '')).toBe('form.needed')
    expect(faultOf(fieldOf('AlarmLow'), null)).toBeUndefined()
  })
})
