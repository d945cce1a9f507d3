import { expect, test } from 'vitest'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Part } from '../blocks.ts'
import { openRoom } from './room.ts'

const table = (rows: number, columns: number, More = 0): Part => ({
  ...{ Is: 'table', Title: 'Levels', More },
  Columns: Array.from({ length: columns }, () => ({ Title: 'Level', Is: 'number' as const })),
  Rows: Array.from({ length: rows }, () => Array.from({ length: columns }, () => 1)),
})
const chart = (values: number): Part => {
  const all = Array.from({ length: values }, (_, i) => i)
  return {
    Is: 'chart',
    Title: '',
    Bars: false,
    Start: 0,
    End: values,
    Curves: [{ Name: 'Level', Unit: '', Digits: 0, Time: all, Value: all }],
  }
}
const refused = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    return error instanceof FieldFaults ? [error.key, error.fields] : error
  }
  return undefined
}

test('tables beyond the room of a report are refused with their block, and those before it are whole', () => {
  const fit = openRoom('en')
  const first = table(800, 100)
  expect(fit(first, 'timeTable')).toBe(first)
  expect(fit(table(200, 100), 'statistics')).toMatchObject({ More: 0 })
  expect(refused(() => fit(table(1, 1), 'io'))).toEqual([
    'reportTooLong',
    [{ field: 'Type', rule: 'reportTooLong', values: { max: 100_000 } }],
  ])
})

test('rows that a table over time leaves out count, those of a list of alarms do not', () => {
  expect(refused(() => openRoom('en')(table(800, 9, 20_000), 'timeTable'))).toBeDefined()
  expect(openRoom('en')(table(800, 9, 20_000), 'alarms')).toMatchObject({ More: 20_000 })
})

test('many curves have fewer points each, and leave tables their room', () => {
  const fit = openRoom('en')
  fit(chart(90_000), 'curve')
  expect(fit(chart(20_000), 'curve')).toMatchObject({ Curves: [{ Value: expect.objectContaining({ length: 10_000 }) }] })
  expect(fit(table(800, 100), 'timeTable')).toMatchObject({ More: 0 })
})
