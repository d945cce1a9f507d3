// Channel values fixed by the specification. Each test names its behaviour.
import { expect, it } from 'vitest'
import { device } from '../../devices/contract.ts'
import deviceWords from '../../devices/words/en.json' with { type: 'json' }
import { serialProtocol } from '../contract.ts'
import words from '../words/en.json' with { type: 'json' }

const { BaudRate, DataBits, StopBits, Parity } = serialProtocol.fields

it('[enum-baud] a serial line has one of the thirteen rates, up to 187.5 kBd', () => {
  const rates = [1200, 1800, 2400, 4800, 7200, 9600, 14_400, 19_200, 38_400, 57_600, 115_200, 128_000, 187_500]
  expect(BaudRate.of).toEqual(rates)
})

it('[enum-serial] data bits, stop bits and parity have their numbers', () => {
  expect([DataBits.of, StopBits.of]).toEqual([
    [7, 8],
    [1, 2],
  ])
  const parities = Parity.of.map((value) => [value, words[`serialProtocol.Parity.${value}`]])
  expect(parities).toEqual([
    [0, 'None'],
    [1, 'Odd'],
    [2, 'Even'],
  ])
})

it('[enum-comm-type] a device is on a network channel, 0, or a serial one, 1', () => {
  const types = device.fields.CommType.of.map((value) => [value, deviceWords[`device.CommType.${value}`]])
  expect(types).toEqual([
    [0, 'Network'],
    [1, 'Serial'],
  ])
})
