import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cronDefault, cronFault, cronPartNames } from '../../contract/cron.ts'
import { kindsOf, readChoice, startOf, withPart, writeChoice } from './choice.ts'
import { nextFires } from './next.ts'

it('what a tab writes it reads again, and the check takes it', () => {
  for (const part of cronPartNames)
    for (const kind of kindsOf(part)) {
      const choice = startOf(part, kind)
      expect(readChoice(part, writeChoice(choice))).toEqual(choice)
      const parts = [...cronDefault.split(' '), '*']
      const next = withPart(parts, cronPartNames.indexOf(part), writeChoice(choice))
      expect([next, cronFault(next)]).toEqual([next, undefined])
    }
})

it('reading a part and writing it again changes no fire time', () => {
  const text = fc.constantFrom(
    '*',
    '?',
    'L',
    'LW',
    '15W',
    '6L',
    '6#3',
    '1-5',
    '1/5',
    '03',
    '05-07',
    '3,2,5',
    'MON-FRI',
    '1-5,7',
    '1-9/2',
    '*/3',
    '5-2',
    'JAN',
  )
  fc.assert(
    fc.property(fc.constantFrom(...cronPartNames), text, (part, given) => {
      const index = cronPartNames.indexOf(part)
      const whole = (said: string) => withPart(['0', '0', '12', '*', '*', '?', '*'], index, said)
      fc.pre(!cronFault(whole(given)))
      const fires = (said: string) => nextFires(whole(said), 'UTC', Date.UTC(2026, 10, 21), 5)
      expect(fires(writeChoice(readChoice(part, given)))).toEqual(fires(given))
    }),
  )
})

it('of day and weekday the other opens when one is said', () => {
  expect(withPart(['0', '0', '12', '*', '*', '?'], 5, '2-6')).toBe('0 0 12 ? * 2-6')
  expect(withPart(['0', '0', '12', '?', '*', '2'], 3, '15')).toBe('0 0 12 15 * ?')
  expect(withPart(['0', '0', '12', '*', '*', '?'], 3, '?')).toBe('0 0 12 ? * *')
  expect(withPart(['0', '0', '12', '*', '*', '?', '*'], 6, '2030-2040')).toBe('0 0 12 * * ? 2030-2040')
  expect(withPart(['0', '0', '12', '*', '*', '?', '2030'], 6, '*')).toBe('0 0 12 * * ?')
})
