import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fill, isWellFormed, numbersOf, parametersPattern, readParameters, valuesPattern } from './model-text.ts'

const parameters = readParameters('base=100 First register; db=4;line= Bus line')
const numbers = numbersOf(parameters, 'base=200;line=-3;other=9', 7)

test('parameters have a name, default and text; devices override numbers but cannot add names', () => {
  expect(parameters).toEqual([
    { Name: 'base', Default: 100, Text: 'First register' },
    { Name: 'db', Default: 4, Text: '' },
    { Name: 'line', Default: undefined, Text: 'Bus line' },
  ])
  expect(Object.fromEntries(numbers)).toEqual({ base: 200, db: 4, line: -3, unit: 7 })
  expect(numbersOf(parameters, null, 7).has('line')).toBe(false)
})

test.each([
  ['{base+4}', '204'],
  ['DB{db}.DBD4', 'DB4.DBD4'],
  ['{ base - db * 2 }.{db-1}', '192.3'],
  ['{-line}', '3'],
  ['{-line*2+base}', '206'],
  ['{base*db-unit}', '793'],
  ['Pump', 'Pump'],
])('%s is %s', (text, filled) => expect(fill(text, numbers)).toEqual({ text: filled }))

test.each(['{', '}', '{}', '{ }', '{1+}', '{+1}', '{1 2}', '{1..2}', '{{base}}', '{base/2}', '{2base}', '{1e9}', '{(1)}', 'a}{b'])(
  '%s is refused',
  (text) => {
    expect(fill(text, numbers)).toEqual({ fault: 'braces' })
    expect(isWellFormed(text)).toBe(false)
  },
)

test('refuses undeclared names by name, too large numbers, and ten megabytes without parsing', () => {
  expect(fill('{constructor}', numbers)).toEqual({ fault: 'braceUnknown', name: 'constructor' })
  expect(fill('{missing+1}', numbers)).toEqual({ fault: 'braceUnknown', name: 'missing' })
  expect(fill('{999999999*999999999}', numbers)).toEqual({ fault: 'braceTooLarge' })
  expect(fill(`{${'1+'.repeat(5_000_000)}1}`, numbers)).toEqual({ fault: 'braces' })
  expect(isWellFormed('{missing+1}')).toBe(true)
})

test('words of the expression language are ordinary parameters', () => {
  expect(
    fill(
      '{if+min*not}',
      new Map([
        ['if', 1],
        ['min', 2],
        ['not', 3],
      ]),
    ),
  ).toEqual({ text: '7' })
})

test('a step that is not exact is refused, though the result would be', () => {
  const large = new Map([
    ['a', 999_999_999],
    ['b', 9_007_199],
  ])
  expect(fill('{a*b}', large)).toEqual({ text: '9007198990992801' })
  expect(fill('{a*b+a*0}', large)).toEqual({ fault: 'braceTooLarge' })
  expect(fill('{-a*b-a}', large)).toEqual({ fault: 'braceTooLarge' })
})

test.each(['{1*-2}', '{--1}', '{1--1}', '{min(1)}', '{#1}', '{1234567890}', '{.5}'])('%s is none of whole numbers', (text) => {
  expect(fill(text, numbers)).toEqual({ fault: 'braces' })
})

test('sums of products are those of JavaScript', () => {
  const number = fc.integer({ min: 0, max: 9999 })
  const rest = fc.array(fc.tuple(fc.constantFrom('+', '-', '*'), number), { maxLength: 3 })
  fc.assert(
    fc.property(number, rest, (first, more) => {
      const text = `${first}${more.map(([sign, n]) => ` ${sign} ${n}`).join('')}`
      const expected = new Function(`return ${text}`)() as number
      expect(fill(`{${text}}`, new Map())).toEqual(Number.isSafeInteger(expected) ? { text: String(expected || 0) } : expect.anything())
    }),
  )
})

test('any text is either filled or refused', () => {
  const piece = fc.constantFrom('{', '}', '+', '-', '*', ' ', 'base', '7', 'x', '.')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const found = fill(pieces.join(''), numbers)
      if ('text' in found) expect(found.text).not.toMatch(/[{}]/)
    }),
  )
})

test('the patterns accept what the parser accepts', () => {
  const [of, given] = [new RegExp(parametersPattern, 'u'), new RegExp(valuesPattern, 'u')]
  for (const text of ['base=100', 'base=', 'base=100 First register; db=-4', 'a=1;b=2 x']) expect(of.test(text)).toBe(true)
  for (const text of ['', 'base', '1=2', 'base=1.5', 'base=1;', 'a={b}', 'base=x']) expect(of.test(text)).toBe(false)
  expect(given.test('base=100;db=-4')).toBe(true)
  for (const text of ['base=', 'base=100 text', 'base=1;;db=2']) expect(given.test(text)).toBe(false)
})
