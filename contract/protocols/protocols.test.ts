import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pointColumns } from '../point-fields.ts'
import { addressFault, capabilityOf, placeOf, protocolOf, protocols, rowFaults } from './index.ts'
import { secretsOf, settingFaults } from './settings.ts'

test('[enum-protocols] each protocol has its number, a name and capability words of its own', () => {
  const numbers = protocols.map((p) => p.number)
  expect(numbers).toEqual([0, 1, 2, 20, 21, 30, 50, 60, 70, 80, 90, 100, 110, 200, 201])
  expect(new Set(protocols.map((p) => p.name)).size).toBe(numbers.length)
  const words = protocols.flatMap(({ targets }) => Object.values(targets))
  expect(new Set(words).size).toBe(words.length)
  for (const p of protocols) {
    expect(p.polls || p.listens).toBe(true)
    expect(pointColumns).toEqual(expect.arrayContaining([...p.unused]))
  }
})

describe.each(protocols.map((p) => [p.name, p] as const))('addresses of %s', (_, p) => {
  test('its example is one', () => expect(addressFault(p.number, p.example)).toBeUndefined())
  test('any text is an address, or wrong at one of its characters or at its end', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 30 }), fc.string({ unit: fc.constantFrom(...`${p.example}.:/0DBX[]`) })), (text) => {
        const parsed = p.parse(text)
        if ('at' in parsed) expect(parsed.at >= 0 && parsed.at <= text.length).toBe(true)
        else expect(parsed.key).toBe((p.parse(text) as typeof parsed).key)
      }),
    )
  })
})

test.each([
  [0, '100.3', undefined],
  [0, '65535', undefined],
  [0, '65536', 4],
  [0, '5x', 1],
  [0, '100.16', 5],
  [0, '', 0],
  [70, 'DB10.DBD4', undefined],
  [70, 'db10.dbx0.3', undefined],
  [70, 'MW20', undefined],
  [70, 'IB0', undefined],
  [70, 'QB0', undefined],
  [70, 'M0.3', undefined],
  [70, 'DB10.DBX0', 9],
  [70, 'DB10.DBD4.1', 9],
  [70, 'DB10.DBX0.8', 10],
  [70, 'DB10,DBD4', 4],
  [70, 'XW4', 0],
  [100, '.1.3.6.1.2.1.1.3.0', undefined],
  [100, '1.3.6.1.', 8],
  [100, '3.1', 0],
  [100, '1.3.4294967296', 4],
  [100, 'sysUpTime', 0],
  [20, '00010000', undefined],
  [20, '0001000', 7],
  [20, '0001000G', 7],
  [20, '0001FF00/12', undefined],
  [20, '0001FF00/0', 9],
  [30, '901F/10', undefined],
  [50, '16385', undefined],
  [50, '16777216', 7],
  [60, 'nsu=urn:plant;s=Pump 1.Speed[3]', undefined],
  [60, 'ns=2;i=7', undefined],
  [60, 'ns=2;x=7', 5],
  [80, 'plant/pump1#values[0].speed', undefined],
  [80, 'plant/+/speed', 6],
  [90, 'analogInput:3/reliability', undefined],
  [90, 'analogInput 3', 11],
  [110, 'a.b[0].c', undefined],
  [110, 'a..b', 2],
])('protocol %i and %s: wrong at %o', (protocol, address, at) => {
  expect(addressFault(protocol, address)?.at).toBe(at)
})

const row = { Address: '100', ParaDataType: 2, RegisterType: 4, ReadWriteType: 0, SlaveNumber: 1 }
test('S7: a bit is a Bool, sizes fit, and inputs are only read', () => {
  const faults = (Address: string, ParaDataType: number, ReadWriteType = 0) =>
    rowFaults(70, { ...row, Address, ParaDataType, ReadWriteType }).map(([column, reason]) => `${column} ${reason}`)
  expect([faults('DB1.DBX0.1', 0), faults('DB1.DBD4', 7), faults('MW2', 2), faults('IB0', 2), faults('DB1.DBL8', 101)]).toEqual([
    [],
    [],
    [],
    [],
    [],
  ])
  expect(faults('DB1.DBX0.1', 2)).toEqual(['ParaDataType bitHoldsBool'])
  expect(faults('MW2', 0)).toEqual(['Address bitMissing'])
  expect(faults('DB1.DBW4', 7)).toEqual(['ParaDataType sizeDiffers'])
  expect(faults('IW4', 2, 1)).toEqual(['ReadWriteType inputNotWritable'])
})

test('meters: parameters are written and measurements are not, and a valve is only written', () => {
  const faults = (protocol: number, Address: string, ReadWriteType: number) =>
    rowFaults(protocol, { ...row, Address, ReadWriteType }).map(([column, reason]) => `${column} ${reason}`)
  expect([
    faults(20, '04000B01', 1),
    faults(21, 'C117', 1),
    faults(30, '8103', 1),
    faults(30, 'A017', 2),
    faults(20, '02010100', 0),
  ]).toEqual([[], [], [], [], []])
  expect(faults(20, '02010100', 1)).toEqual(['ReadWriteType meterReadOnly'])
  expect(faults(30, 'A017', 1)).toEqual(['ReadWriteType meterWriteOnly'])
  expect(placeOf(30, { ...row, Address: '901F' })).toBe(placeOf(30, { ...row, Address: '901f/1' }))
})

test('one value is one place however it is written, and devices without unit IDs are told apart by their own settings', () => {
  expect(placeOf(70, { ...row, Address: 'db1.dbw4' })).toBe(placeOf(70, { ...row, Address: 'DB1.DBW4', SlaveNumber: 9, RegisterType: 3 }))
  expect(placeOf(70, { ...row, Address: 'EW4' })).toBe(placeOf(70, { ...row, Address: 'IW4' }))
  expect(placeOf(20, { ...row, Address: '00010000' }, 'meter 1')).not.toBe(placeOf(20, { ...row, Address: '00010000' }, 'meter 2'))
})

test('settings are judged by their fields, and secrets are known by name', () => {
  const { channel } = protocolOf(100)!
  expect(secretsOf(channel)).toEqual(['Community', 'WriteCommunity', 'AuthPassword', 'PrivPassword'])
  expect(settingFaults(channel, { Version: '2c', Community: 'public' })).toEqual([])
  expect(settingFaults(channel, { Version: '4', Colour: 'red', Community: 7 })).toEqual([
    { name: 'Colour', rule: 'unknownField' },
    { name: 'Version', rule: 'choice' },
    { name: 'Community', rule: 'type' },
  ])
  expect(settingFaults(protocolOf(20)!.device, {})).toEqual([{ name: 'MeterAddress', rule: 'required' }])
  expect(settingFaults(channel, { constructor: 'x' })).toEqual([{ name: 'constructor', rule: 'unknownField' }])
})

test('a channel asks for the word of its protocol and its target', () => {
  expect(capabilityOf({ CommType: 0, ProtocolType: 1 })).toBe('modbus-rtu-over-tcp')
  expect(capabilityOf({ CommType: 1, ProtocolType: 1 })).toBe('modbus-rtu')
  expect(capabilityOf({ CommType: 0, ProtocolType: 0, Mode: 1 })).toBeUndefined()
  expect(capabilityOf({ CommType: 0, ProtocolType: 7 })).toBeUndefined()
})

test('the gateway protocol lists each protocol with its words', () => {
  const manual = readFileSync(new URL('../../docs/gateway-protocol.md', import.meta.url), 'utf8')
  const table = manual.split('\n').filter((line) => /^\| \d/.test(line))
  const linesOf = (number: number) =>
    table.filter((line) =>
      line
        .split('|')[1]!
        .split(', ')
        .some((n) => Number(n) === number),
    )
  for (const { number, targets } of protocols)
    for (const word of Object.values(targets))
      expect(
        linesOf(number).some((line) => line.includes(`\`${word}\``)),
        `${number} ${word}`,
      ).toBe(true)
})
