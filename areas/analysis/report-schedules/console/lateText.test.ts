import { expect, test } from 'vitest'
import { none } from '../../../../console/words/formats.ts'
import { lateText, movedFigures } from './lateText.ts'

const t = (_: string, values?: Record<string, unknown>) => Object.values(values ?? {}).join(' | ')
const level = { Name: 'Level', Unit: 'm', Digits: 1, Before: 12.31, After: 12.94 }

test('a late figure shows what it was in the file, what it is, and by how much it moved', () => {
  expect(lateText(level, t as never)).toBe('Level | 12.3 | 12.9 m | +0.6')
  expect(lateText({ ...level, Before: null }, t as never)).toBe(`Level | ${none} | 12.9 m`)
})

test('what the report shows alike has not moved', () => {
  expect(movedFigures([level, { ...level, After: 12.34 }, { ...level, After: null }])).toEqual([level, { ...level, After: null }])
})
