// Point values that the specification defines. Each test has the id of its behaviour.
import { expect, it } from 'vitest'
import { statedTypes } from '../../../../contract/data-types.ts'
import { columnFields, pointColumns } from '../../../../contract/point-fields.ts'
import { channelTableTypes, pointTableTypes, tableTypeOf } from '../contract.ts'
import en from '../words/en.json' with { type: 'json' }
import zh from '../words/zh.json' with { type: 'json' }

const choices = (name: 'CollectType' | 'UploadMode' | 'IsChartShow' | 'IsReportShow') =>
  Object.fromEntries(columnFields[name].of.map((value) => [value, en[`point.${name}.${value}` as keyof typeof en]]))

it('[enum-collect-mode] [enum-upload-mode] polling and upload modes have their numbers', () => {
  expect(choices('CollectType')).toEqual({ 0: 'Periodic', 1: 'Continuous', 2: 'On change' })
  expect(choices('UploadMode')).toEqual({ 0: 'Periodic', 1: 'Every scan', 3: 'On change' })
})

it('[enum-show] points are hidden, shown, or shown by default in charts and reports', () => {
  const shows = { 0: 'Hidden', 1: 'Shown', 2: 'Shown by default' }
  expect([choices('IsChartShow'), choices('IsReportShow')]).toEqual([shows, shows])
})

it('[enum-cache-store-report] 0 buffers, stores and reports, and is the default', () => {
  for (const name of ['IsCache', 'IsStore', 'IsReport'] as const)
    expect(columnFields[name]).toMatchObject({ kind: 'flag', inverted: true, default: 0 })
})

it('[enum-datatypes] data types have the numbers and byte orders of the specification', () => {
  const named = statedTypes.map((type) => [type, en[`point.ParaDataType.${type}`]])
  const orders = ['ABCD', 'CDAB', 'BADC', 'DCBA']
  expect(named).toEqual([
    ...[
      [0, 'Bool'],
      [1, 'Int16 AB'],
      [2, 'UInt16 AB'],
    ],
    ...orders.map((order, i) => [3 + i, `Int32 ${order}`]),
    ...orders.map((order, i) => [7 + i, `Float ${order}`]),
    ...[
      [31, 'Int16 BA'],
      [32, 'UInt16 BA'],
    ],
    ...orders.map((order, i) => [33 + i, `UInt32 ${order}`]),
  ])
})

it('[point-table-type] the export asks for the type of point table, and offers the run point table', () => {
  expect(pointTableTypes).toEqual([1])
  expect(zh['point.tableType.missing']).toBe('请选择点表类型')
})

it('[enum-point-table-types] a table is of its channel: network 3, serial 4, plugin 5, custom protocol 6', () => {
  expect(channelTableTypes).toEqual({ network: 3, serial: 4, plugin: 5, custom: 6 })
  const types = [
    [0, 0],
    [1, 1],
    [0, 201],
    [1, 200],
  ].map(([CommType, ProtocolType]) => tableTypeOf({ CommType: CommType!, ProtocolType: ProtocolType! }))
  expect(types).toEqual([3, 4, 5, 6])
})

it('[point-export-27] the point table has the 27 columns in their order', () => {
  expect(pointColumns).toEqual(
    [
      ['ParaName', 'ReadWriteType', 'RegisterType', 'ParaDataType', 'Address', 'SlaveNumber', 'SampleLow', 'SampleHigh', 'ProjectLow'],
      ['ProjectHigh', 'AxisMin', 'AxisMax', 'ParaUnitName', 'IsChartShow', 'IsReportShow', 'DecimalDigits', 'AlarmLow', 'AlarmHigh'],
      ['UploadMode', 'CollectPeriod', 'IntervalTime', 'Timeout', 'UploadPeriod', 'CollectType', 'IsCache', 'IsStore', 'IsReport'],
    ].flat(),
  )
})
