import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compile, type Reading } from './compile.ts'
import {
  deepestExpression,
  keyOf,
  type Operator,
  parse,
  parseFormula,
  type Reference,
  referencesOf,
  referencesWritten,
  type Tree,
} from './parse.ts'
import { print } from './print.ts'

const readings: Record<string, Reading> = {
  '#1': { value: 5, quality: 0, age: 2, alarm: 0 },
  '#2': { value: null, quality: 3, age: 90, alarm: 3 },
  '{Pump.Speed}': { value: 40, quality: 1, age: 0.5, alarm: 1 },
}
const nothing: Reading = { value: null, quality: 4, age: null, alarm: 0 }
const read = (key: string) => readings[key] ?? nothing
const worth = (text: string) => compile(parse(text).tree!)(read)

describe('an expression', () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 4 - 3', 3],
    ['-#1 + 1', -4],
    ['7 % 4', 3],
    ['.5 + 1.', 1.5],
    ['2e3', 2000],
    ['#1 > 4 and {Pump.Speed} <= 40', 1],
    ['{ Pump.Speed } == 40', 1],
    ['not (#1 = 5)', 0],
    ['not #1 <> 5', 1],
    ['if(#1 > 4, 10, 20)', 10],
    ['IF(false, #2, 3)', 3],
    ['min(3, 1, 2) + max(3, 1, 2)', 4],
    ['round(2.345, 2)', 2.35],
    ['round(1250, -2)', 1300],
    ['clamp(#1, 0, 3)', 3],
    ['avg(#1, 7)', 6],
    ['not #1 > 9', 1],
    ['not not #1', 1],
    ['not (#1 > 4) or #1 = 5', 1],
    ['abs(-3)', 3],
    ['age(#2)', 90],
    ['quality(#2) >= 2', 1],
    ['alarm(#2)', 3],
  ])('%s is %d', (text, value) => expect(worth(text)).toBeCloseTo(value, 10))

  it.each([
    '#2',
    '#2 + 1',
    '#9',
    'if(#2, 1, 2)',
    '1 / 0',
    '1e308 * 10',
    '-#2',
    'min(#1, #2)',
    'age(#9)',
    'avg(#1, #2, 7)',
    '#2 > 1',
    '0 / 0',
  ])('%s has no value, which is never 0', (text) => expect(worth(text)).toBeNull())

  it('lets a side that decides do so, whatever the other one is', () => {
    expect(['#2 > 1 and false', 'false and #2', '#2 or 1', '1 or #2', '#2 and 1', '0 or #2'].map(worth)).toEqual([0, 0, 1, 1, null, null])
  })

  it.each([
    ['1 +', 'ended', 3],
    ['', 'ended', 0],
    ['1 2', 'unexpected', 2],
    ['(1', 'ended', 2],
    ['foo(1)', 'unknownName', 0],
    ['  min()', 'unexpected', 6],
    ['if(1, 2)', 'arguments', 0],
    ['age(1)', 'pointNeeded', 0],
    ['1 < 2 < 3', 'unexpected', 6],
    ['1 & 2', 'unexpected', 2],
    ['{}', 'unexpected', 0],
    ['1e999', 'number', 0],
    ['constructor(1)', 'unknownName', 0],
    [`${'('.repeat(500)}1`, 'tooDeep', deepestExpression + 1],
    ['-'.repeat(900), 'tooDeep', deepestExpression + 1],
    [`1${'+1'.repeat(400)}`, 'tooDeep', 401],
    ['1'.repeat(1001), 'tooLong', 1000],
  ])('%s is refused with its place', (text, key, at) => expect(parse(text).flaw).toMatchObject({ key, at }))

  it('names what it reads, each once', () => {
    const tree = parse('#1 + #1 * {Bomba 1.Presión} + age(#2)').tree!
    expect(referencesOf(tree).map(keyOf)).toEqual(['#1', '{Bomba 1.Presión}', '#2'])
    expect(print(tree, (r) => ('name' in r ? { id: 7 } : r))).toBe('#1 + #1 * #7 + age(#2)')
  })
})

describe('a formula', () => {
  it('looks back, and reads points alone', () => {
    const { tree } = parseFormula('diff(#1, 1h) + shift(#2 * 2, 24h) / 3')
    expect(tree).toMatchObject({ left: { kind: 'history', ms: 3_600_000 }, right: { left: { name: 'shift', span: '24h' } } })
    expect(print(tree!)).toBe('diff(#1, 1h) + shift(#2 * 2, 24h) / 3')
    expect(referencesOf(tree!)).toEqual([{ id: 1 }, { id: 2 }])
  })
  it.each([
    ['diff(#1)', 'arguments', 0],
    ['diff(#1, 24)', 'duration', 9],
    ['shift(#1, 0s)', 'duration', 10],
    ['shift(#1, 401d)', 'duration', 10],
    ['age(#1)', 'unknownName', 0],
    ['{Pump.Speed}', 'unexpected', 0],
    ['#1 + 24h', 'unexpected', 5],
  ])('%s is refused with its place', (text, key, at) => expect(parseFormula(text).flaw).toMatchObject({ key, at }))
  it('is none of a picture', () => expect(parse('diff(#1, 1h)').flaw).toMatchObject({ key: 'unknownName', at: 0 }))
})

const reference: fc.Arbitrary<Reference> = fc.oneof(
  fc.integer({ min: 1, max: 4 }).map((id) => ({ id })),
  fc.constantFrom({ name: 'Pump.Speed' }, { name: '泵.转速' }),
)
const { tree: anyTree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.double({ min: 0, max: 1e6, noNaN: true }).map((value): Tree => ({ kind: 'number', value: Math.round(value * 100) / 100 })),
    reference.map((of): Tree => ({ kind: 'reference', of })),
    fc.record({ kind: fc.constantFrom('not' as const, 'minus' as const), of: tie('tree') }),
    fc.record({
      kind: fc.constant('operator' as const),
      operator: fc.constantFrom<Operator>('+', '-', '*', '/', '%', '<', '<=', '>', '>=', '=', '!=', 'and', 'or'),
      left: tie('tree'),
      right: tie('tree'),
    }),
    fc.record({
      kind: fc.constant('function' as const),
      name: fc.constantFrom('min' as const, 'max' as const, 'avg' as const),
      of: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('function' as const),
      name: fc.constant('if' as const),
      of: fc.tuple(tie('tree'), tie('tree'), tie('tree')),
    }),
  ),
}))

/** Slow, plain and independent: what an expression means. */
const meaning = (tree: Tree): number | null => {
  const ok = (n: number) => (Math.abs(n) < Number.POSITIVE_INFINITY ? n : null)
  switch (tree.kind) {
    case 'number':
      return tree.value
    case 'reference':
      return read(keyOf(tree.of)).value
    case 'minus':
    case 'not': {
      const value = meaning(tree.of)
      return value === null ? null : tree.kind === 'minus' ? -value : Number(!value)
    }
    case 'history':
      return null
    case 'function': {
      const of = tree.of.map(meaning)
      if (tree.name === 'if') return of[0] === null ? null : of[0] ? of[1]! : of[2]!
      const known = of.filter((value) => value !== null)
      if (tree.name === 'avg') return known.length < of.length ? null : ok(known.reduce((a, b) => a + b, 0) / known.length)
      const sorted = known.toSorted((a, b) => a - b)
      return known.length < of.length ? null : sorted.at(tree.name === 'min' ? 0 : -1)!
    }
    case 'operator': {
      const [a, b] = [meaning(tree.left), meaning(tree.right)]
      if (tree.operator === 'and') return a === 0 || b === 0 ? 0 : a === null || b === null ? null : 1
      if (tree.operator === 'or') return a || b ? 1 : a === null || b === null ? null : 0
      if (a === null || b === null) return null
      const results = {
        '+': a + b,
        '-': a - b,
        '*': a * b,
        '/': a / b,
        '%': a % b,
        '<': a < b,
        '<=': a <= b,
        '>': a > b,
        '>=': a >= b,
        '=': a === b,
        '!=': a !== b,
      }
      return ok(Number(results[tree.operator]))
    }
  }
}

it('means what its tree means, and prints a text that parses to that tree', () => {
  fc.assert(
    fc.property(anyTree, (tree) => {
      const text = print(tree)
      const again = text.length <= 1000 ? parse(text).tree : tree
      expect(again).toEqual(tree)
      expect([...new Set(referencesWritten(text).map(keyOf))]).toEqual(referencesOf(tree).map(keyOf))
      const [is, means] = [compile(tree)(read), meaning(tree)]
      expect(is === null ? null : is + 0).toEqual(means === null ? null : means + 0)
    }),
  )
})

it('any text parses or is refused, and nothing else happens', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'01.#{}()+-*/%<>=!,aeif nort"\\'), maxLength: 200 }), (text) => Boolean(parse(text))),
  )
})
