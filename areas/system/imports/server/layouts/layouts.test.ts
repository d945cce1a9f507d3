import { expect, it } from 'vitest'
import { point } from '../../../../configuration/points/contract.ts'
import '../../../../index.ts'
import { addressStyles, guessAddressStyle, guessColumns, isOwn, titlesOf, translateColumns } from './columns.ts'
import { isKepware, translateKepware } from './kepware.ts'
import { classicAddress, dataType } from './modbus.ts'
import { gatewaySources, translateGateway } from './thingsboard.ts'

const sheet = (text: string) => {
  const [header, ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split(',').map((cell) => cell.replaceAll('"', '') || null))
  return { header: header!, rows: rows.map((cells, i) => ({ row: i + 2, cells })) }
}
const reasons = ({ leftOut }: { leftOut: { row: number; rule: string }[] }) => leftOut.map(({ row, rule }) => [row, rule])

const kepware = sheet(`
Tag Name,Address,Data Type,Respect Data Type,Client Access,Scan Rate,Scaling,Raw Low,Raw High,Scaled Low,Scaled High,Scaled Data Type,Clamp Low,Clamp High,Eng Units,Description,Negate Value
"Pump1.Flow",400001,Float,1,R/W,500,,,,,,,,,m³/h,Flow at the outlet,
"Pump1.Level",300011,Word,1,RO,1000,Linear,0,27648,0,100,Double,0,0,%,,0
"Pump1.Running",000005,Boolean,1,RO,100,,,,,,,,,,,
"Pump1.Fault",400020.03,Boolean,1,RO,100,,,,,,,,,,,
"Pump1.Serial",400100.20H,String,1,RO,1000,,,,,,,,,,,
"Pump1.Curve",400200 [10],Float Array,1,RO,1000,,,,,,,,,,,
"Pump1.Speed",400030,BCD,1,RO,1000,,,,,,,,,,,
"Pump1.Head",400040,Short,1,RO,1000,Square Root,0,1000,0,10,Double,0,0,,,
"Pump1.Power",400042,Long,1,RO,1000,Linear,0,1000,0,10,Double,1,0,,,
"Pump1.Torque",400044,Short,1,RO,1000,,,,,,,,,,,1
__proto__,400050,Short,1,RO,1000,,,,,,,,,,,
`)

it('translates the tags of Kepware, and lists each tag that has no counterpart', () => {
  expect(isKepware(kepware.header)).toBe(true)
  const done = translateKepware(kepware.header, kepware.rows, { wordOrder: 'CDAB', unitId: 3 })
  expect(done.rows.map(({ cells }) => cells)).toEqual([
    {
      ...{ ParaName: 'Pump1.Flow', RegisterType: 4, Address: '0', ParaDataType: 8, ReadWriteType: 1, SlaveNumber: 3 },
      ...{ ParaUnitName: 'm³/h', CollectPeriod: '500' },
    },
    {
      ...{ ParaName: 'Pump1.Level', RegisterType: 3, Address: '10', ParaDataType: 2, ReadWriteType: 0, SlaveNumber: 3 },
      ...{ SampleLow: '0', SampleHigh: '27648', ProjectLow: '0', ProjectHigh: '100', ParaUnitName: '%', CollectPeriod: '1000' },
    },
    expect.objectContaining({ ParaName: 'Pump1.Running', RegisterType: 0, Address: '4', ParaDataType: 0 }),
    expect.objectContaining({ ParaName: 'Pump1.Fault', RegisterType: 4, Address: '19.3', ParaDataType: 0 }),
  ])
  expect(reasons(done)).toEqual([
    [6, 'layout.address'],
    [7, 'layout.address'],
    [8, 'layout.type'],
    [9, 'layout.scaling'],
    [10, 'layout.clamp'],
    [11, 'layout.negate'],
    [12, 'layout.name'],
  ])
})

it('does not guess the word order of 32-bit values', () => {
  const done = translateKepware(kepware.header, kepware.rows.slice(0, 2), {})
  expect([done.rows.map(({ cells }) => cells.ParaName), reasons(done)]).toEqual([['Pump1.Level'], [[2, 'layout.wordOrder']]])
  expect([dataType('Word', 'DCBA'), dataType('toString', 'ABCD')]).toEqual([{ code: 32 }, { rule: 'layout.type' }])
})

it.each([
  ['400001', { RegisterType: 4, Address: '0' }],
  ['40001', { RegisterType: 4, Address: '0' }],
  ['365536', { RegisterType: 3, Address: '65535' }],
  ['400010.15', { RegisterType: 4, Address: '9.15' }],
  ['400000', undefined],
  ['465537', undefined],
  ['200001', undefined],
  ['400010.16', undefined],
  ['1', undefined],
  ['H400001', undefined],
])('reads the classic address %s', (text, place) => expect(classicAddress(text)).toEqual(place))

/** As the ThingsBoard gateway writes it, shortened. */
const gatewayFile = (slave: object) =>
  Buffer.from(
    JSON.stringify({
      master: {
        slaves: [
          {
            ...{ host: '192.168.1.20', port: 502, type: 'tcp', method: 'socket', timeout: 35, byteOrder: 'BIG', wordOrder: 'LITTLE' },
            ...{ unitId: 7, deviceName: 'Chiller', deviceType: 'default', pollPeriod: 5000, sendDataOnlyOnChange: false },
            ...slave,
          },
        ],
      },
      slave: null,
    }),
  )
const tags = {
  timeseries: [
    { tag: 'supply', type: '32float', functionCode: 3, objectsCount: 2, address: 0 },
    { tag: 'return', type: '16int', functionCode: 4, objectsCount: 1, address: 4, divider: 10 },
    { tag: 'running', type: 'bits', functionCode: 1, objectsCount: 1, address: 2 },
    { tag: 'name', type: 'string', functionCode: 3, objectsCount: 8, address: 40 },
    { tag: 'trimmed', type: '32float', functionCode: 3, objectsCount: 2, address: 50, multiplier: 2 },
    { tag: '__proto__', type: '16int', functionCode: 3, objectsCount: 1, address: 60 },
  ],
  attributeUpdates: [{ tag: 'setpoint', type: '32float', functionCode: 16, objectsCount: 2, address: 0 }],
  rpc: [
    { tag: 'start', type: 'bits', functionCode: 5, objectsCount: 1, address: 30 },
    { tag: 'broken', type: '16int', functionCode: 99, objectsCount: 1, address: 3 },
  ],
}

it('translates the tags of the ThingsBoard gateway: what is read and written at one place is one point', () => {
  const [source] = gatewaySources(gatewayFile(tags))
  const done = translateGateway(source!, {})
  expect(source!.name).toBe('Chiller')
  expect(done.rows.map(({ cells }) => cells)).toEqual([
    {
      ...{ ParaName: 'supply', RegisterType: 4, Address: '0', ParaDataType: 8, ReadWriteType: 1, SlaveNumber: 7, CollectPeriod: 5000 },
    },
    expect.objectContaining({ ParaName: 'return', ParaDataType: 1, SampleLow: -32_768, ProjectLow: -3276.8, ProjectHigh: 3276.7 }),
    expect.objectContaining({ ParaName: 'running', RegisterType: 0, Address: '2', ParaDataType: 0 }),
    expect.objectContaining({ ParaName: 'start', RegisterType: 0, Address: '30', ReadWriteType: 2 }),
  ])
  expect(Object.fromEntries(reasons(done))).toEqual({ 4: 'layout.type', 5: 'layout.scaling', 6: 'layout.name', 9: 'layout.function' })
})

it('asks for the word order of a gateway file that names none', () => {
  const [source] = gatewaySources(gatewayFile({ ...tags, byteOrder: undefined, wordOrder: undefined }))
  expect(reasons(translateGateway(source!, {}))[0]).toEqual([1, 'layout.wordOrder'])
  expect(translateGateway(source!, { wordOrder: 'DCBA' }).rows[0]!.cells.ParaDataType).toBe(10)
})

it.each([
  ['no master', '{}', 'sheetUnreadable'],
  ['slaves that are no list', '{"master":{"slaves":{"length":9}}}', 'sheetUnreadable'],
  ['half a file', '{"master":', 'sheetUnreadable'],
  ['a prototype', '{"__proto__":{"master":{"slaves":[]}}}', 'sheetUnreadable'],
  ['too many tags', JSON.stringify({ master: { slaves: [{ timeseries: Array(20_001).fill({}) }] } }), 'sheetTooLong'],
  ['too many bytes', ' '.repeat(4 * 1024 * 1024 + 1), 'tooLarge'],
])('refuses a gateway file with %s', (_, text, key) =>
  expect(() => gatewaySources(Buffer.from(text))).toThrow(expect.objectContaining({ key })),
)

const maker = sheet(`
Signal name,Modbus register,Type,Units,Max alarm,Comment
Supply temperature,40001,FLOAT,°C,60,x
Return temperature,40003,REAL,°C,,y
State,10001,BOOL,,,z
`)

it('guesses the columns of a sheet, and reads types and registers of other programs', () => {
  const columns = guessColumns(point, maker.header, maker.rows, new Set())
  expect(columns).toEqual(['ParaName', 'Address', 'ParaDataType', 'ParaUnitName', 'AlarmHigh', ''])
  const addressStyle = guessAddressStyle(columns, maker.rows)
  expect(addressStyle).toBe(addressStyles.classic)
  const done = translateColumns(maker.rows, { columns, addressStyle, wordOrder: 'ABCD' }, () => false)
  expect(done.rows.map(({ cells }) => [cells.RegisterType, cells.Address, cells.ParaDataType])).toEqual([
    [4, '0', 7],
    [4, '2', 7],
    [1, '0', 0],
  ])
})

it.each([
  ['地址', '点位名称'],
  ['Dirección', 'Nombre del punto'],
  ['アドレス', 'ポイント名'],
])('knows the titles %s and %s in its four languages', (address, name) => {
  expect(guessColumns(point, [address, name, 'Notes'], [], new Set())).toEqual(['Address', 'ParaName', ''])
  expect([isOwn(point, [address, name]), isOwn(point, [address, name, 'Notes'])]).toEqual([true, false])
})

it('finds the column of names by the aliases of standard parameters', () => {
  const { header, rows } = sheet('Notes,What,Address\nx,Ua,1\ny,Ub,2\nz,other,3')
  expect(guessColumns(point, header, rows, new Set(['ua', 'ub']))).toEqual(['', 'ParaName', 'Address'])
})

it('counts addresses from one when the sheet does', () => {
  const given = { columns: ['ParaName', 'Address'], addressStyle: addressStyles.one }
  const done = translateColumns(sheet('Name,Address\nA,1\nB,0\nC,7.3').rows, given, () => true)
  expect([done.rows.map(({ cells }) => cells.Address), reasons(done)]).toEqual([['0', '6.3'], [[3, 'layout.address']]])
})

it.each([
  [['Name', '__proto__'], 'sheetColumn'],
  [['Name', 'Address', 'name'], 'sheetTwice'],
])('refuses the titles %s', (header, key) => expect(() => titlesOf(header)).toThrow(expect.objectContaining({ key })))

it('refuses a gateway file with too many parts, names or devices, and reads no object as a text', () => {
  const read = (slaves: string) => gatewaySources(Buffer.from(`{"master":{"slaves":[${slaves}]}}`))
  const many = (count: number) => Array.from({ length: count }, () => '{}').join()
  expect(() => read(many(100_000))).toThrow('tooLarge')
  expect(() => read(many(1001))).toThrow('sheetTooLong')
  const named = (count: number) => `{${Array.from({ length: count }, (_, i) => `"n${i}":":{[\\""`)}}`
  expect(read(named(900))).toHaveLength(1)
  expect(() => read(named(1001))).toThrow('tooLarge')
  const none = '{"toString":1,"valueOf":1}'
  const tag = ['tag', 'functionCode', 'type', 'address', 'multiplier'].map((name) => `"${name}":${none}`)
  const [source] = read(`{"deviceName":${none},"unitId":${none},"byteOrder":${none},"timeseries":[{${tag}}]}`)
  expect(source!.name).toBe('#1')
  expect(reasons(translateGateway(source!, {}))).toEqual([[1, 'layout.function']])
})
