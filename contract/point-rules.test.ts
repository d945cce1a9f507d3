import { expect, test } from 'vitest'
import { demoPlant } from './demo-plant.ts'
import { columnFields, pointColumns } from './point-fields.ts'
import { mostPreselected, pointRules, pointWarnings } from './point-rules.ts'
import { placeOf } from './protocols/index.ts'
import { brokenRules } from './rules.ts'

const usual = Object.fromEntries(Object.entries(columnFields).map(([name, field]) => [name, 'default' in field ? field.default : null]))
const broken = (values: object, touched = Object.keys(values)) =>
  brokenRules(pointRules, { ...usual, ...values }, touched).map(({ field, rule }) => `${field} ${rule}`)
const scaling = { SampleLow: 0, SampleHigh: 27_648, ProjectLow: 0, ProjectHigh: 100 }

test('a point has 27 columns, and every rule refers to some of them', () => {
  expect(pointColumns).toHaveLength(27)
  expect(pointRules.flatMap((rule) => rule.of).filter((name) => !pointColumns.includes(name))).toEqual([])
})

test.each([
  [{ AlarmLow: 1, AlarmHigh: 1 }, 'AlarmHigh limitsCrossed'],
  [{ AxisMin: 5, AxisMax: -5 }, 'AxisMax axisCrossed'],
  [{ ...scaling, SampleHigh: 0 }, 'ProjectHigh rawRangeFlat'],
  [{ ...scaling, ParaDataType: 0 }, 'ParaDataType boolScaled'],
  [{ UploadMode: 0, UploadPeriod: 1, CollectPeriod: 1001 }, 'UploadMode uploadFaster'],
])('%o breaks a rule', (values, found) => {
  expect(broken(values)).toEqual([found])
  expect(broken(values, ['ParaName'])).toEqual([])
})

test.each([
  [{ AlarmLow: -1, AlarmHigh: null }],
  [{ AlarmLow: -1, AlarmHigh: 0 }],
  [scaling],
  [{ SampleLow: 0, SampleHigh: 0 }],
  [{ ParaDataType: 0, SampleLow: 0, SampleHigh: 1 }],
  [{ UploadMode: 1, UploadPeriod: 1, CollectPeriod: 60_000 }],
  [{ UploadMode: 0, UploadPeriod: 60, CollectPeriod: 60_000 }],
])('%o is fine', (values) => expect(broken(values)).toEqual([]))

test('a Modbus address has a register type and is a number however it is written', () => {
  const row = { SlaveNumber: 1, RegisterType: 4, Address: '100.3' }
  expect(placeOf(0, row)).toBe(placeOf(1, { ...row, Address: '0100.3' }))
  for (const other of [{ SlaveNumber: 2 }, { RegisterType: 3 }, { Address: '100' }, { Address: '100.4' }])
    expect(placeOf(0, { ...row, ...other })).not.toBe(placeOf(0, row))
  expect(placeOf(20, { ...row, RegisterType: 3 })).toBe(placeOf(20, row))
  expect(placeOf(0, { ...row, Address: '0' })).not.toBe(placeOf(0, { ...row, Address: '' }))
})

test('the demo plant keeps every rule and has no warning, so that a first look at "Check points" is clean', () => {
  const rules = [...pointRules, ...pointWarnings]
  const found = demoPlant.flatMap(({ DeviceName, Points }) =>
    Points.flatMap((p) => rules.filter((rule) => rule.isBroken(p)).map((rule) => `${DeviceName}/${p.ParaName}: ${rule.name}`)),
  )
  expect(found).toEqual([])
  for (const { Points } of demoPlant) expect(Points.filter((p) => p.IsChartShow === 2).length).toBeLessThanOrEqual(mostPreselected)
})
