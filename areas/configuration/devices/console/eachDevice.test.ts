import { expect, it } from 'vitest'
import { protocols } from '../../../../contract/protocols/index.ts'
import { settingsOfEach, valuesOf } from './eachDevice.ts'

const fieldsOf = (name: string) => protocols.find((p) => p.name === name)!.device

it('meters have a line each, in the order of their names', () => {
  const fields = fieldsOf('cjt188')
  expect(settingsOfEach(fields, { MeterAddress: ' 11000000000001 \n\n11000000000002' }, 2)).toEqual([
    { MeterAddress: '11000000000001' },
    { MeterAddress: '11000000000002' },
  ])
  expect(settingsOfEach(fields, { MeterAddress: ' \n' }, 2)).toBeUndefined()
  expect(settingsOfEach(fields, { MeterAddress: '1\n2\n3' }, 2)).toHaveLength(3)
})

it('a single whole number counts up, several are taken as they are', () => {
  const { Instance } = fieldsOf('bacnet')
  expect(valuesOf(Instance!, '1200', 3)).toEqual([1200, 1201, 1202])
  expect(valuesOf(Instance!, '7\n9\n12', 3)).toEqual([7, 9, 12])
  expect(valuesOf(Instance!, 'x', 1)).toEqual([Number.NaN])
})
