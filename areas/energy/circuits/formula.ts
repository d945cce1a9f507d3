// Formulas of circuits, such as `[E01]-[E02]*0.5`: the expression language of the pictures, limited to + - * / ( ), numbers and codes.
import { parse, type Tree } from '../../../contract/expression/parse.ts'
import { energyCode, longestFormula, mostOperands } from './contract.ts'

/** An exact fraction; the denominator is positive. */
type Ratio = { n: bigint; d: bigint }
type Operator = '+' | '-' | '*' | '/'
/** `at`: the character where it begins, counted from 0. */
export type Node = { at: number } & (
  | { kind: 'number'; value: Ratio; text: string }
  | { kind: 'code'; code: string }
  | { kind: 'minus'; of: Node }
  | { kind: 'operator'; operator: Operator; left: Node; right: Node }
)

/** What is wrong, and where. Words at `expression.<key>`. */
export type FormulaFlaw = { key: string; at: number; text: string; unit?: string; expected?: string }
export type Parsed = { node: Node; codes: readonly string[]; flaw?: undefined } | { node?: undefined; codes?: undefined; flaw: FormulaFlaw }

const reference = /\[([^[\]]*)\]/g
const leaf = /\[([^[\]]*)\]|\d+\.?\d*|\.\d+/g
/** Characters that the grammar does not allow. A code counts as one token. */
const foreign = /\[([^[\]]*)\]|([^\d\s.+\-*/()])/g

const exact = (text: string): Ratio => {
  const [whole = '', part = ''] = text.split('.')
  return { n: BigInt(whole + part || '0'), d: 10n ** BigInt(part.length) }
}

class Refusal extends Error {
  readonly flaw: FormulaFlaw
  constructor(flaw: FormulaFlaw) {
    super(flaw.key)
    this.flaw = flaw
  }
}
const refuse = (key: string, at: number, text = ''): never => {
  throw new Refusal({ key, at, text })
}

/** The leaves of the tree are in source order, so their offsets follow from the text. */
const located = (text: string, tree: Tree): Node => {
  const leaves = text.matchAll(leaf)
  const next = () => {
    const { 0: found, 1: code, index: at } = leaves.next().value!
    return { found, code, at }
  }
  const build = (one: Tree): Node => {
    switch (one.kind) {
      case 'number': {
        const { found, at } = next()
        return { kind: 'number', value: exact(found), text: found, at }
      }
      case 'reference': {
        const { code, at } = next()
        return { kind: 'code', code: code!.trim(), at }
      }
      case 'minus': {
        const of = build(one.of)
        return { kind: 'minus', of, at: of.at }
      }
      case 'operator': {
        const left = build(one.left)
        return { kind: 'operator', operator: one.operator as Operator, left, right: build(one.right), at: left.at }
      }
      default:
        return refuse('unexpected', 0, one.kind)
    }
  }
  return build(tree)
}

const reduced = (n: bigint, d: bigint): Ratio => (d < 0n ? { n: -n, d: -d } : { n, d })
/** Undefined: a division by zero. */
const calculate = (operator: Operator, a: Ratio, b: Ratio): Ratio | undefined => {
  if (operator === '*') return { n: a.n * b.n, d: a.d * b.d }
  if (operator === '/') return b.n === 0n ? undefined : reduced(a.n * b.d, a.d * b.n)
  const right = operator === '+' ? b.n : -b.n
  return a.d === b.d ? { n: a.n + right, d: a.d } : { n: a.n * b.d + right * a.d, d: a.d * b.d }
}

/** The value of a part without codes; null where it has some. Refuses a divisor that is always 0. */
const constant = (node: Node): Ratio | null => {
  if (node.kind === 'number') return node.value
  if (node.kind === 'code') return null
  if (node.kind === 'minus') {
    const of = constant(node.of)
    return of && { n: -of.n, d: of.d }
  }
  const [left, right] = [constant(node.left), constant(node.right)]
  if (node.operator === '/' && right?.n === 0n) refuse('zeroDivisor', node.right.at)
  return left && right ? calculate(node.operator, left, right)! : null
}

const codesIn = (node: Node, found: Map<string, number>): Map<string, number> => {
  if (node.kind === 'code' && !found.has(node.code)) found.set(node.code, node.at)
  if (node.kind === 'minus') codesIn(node.of, found)
  if (node.kind === 'operator') codesIn(node.right, codesIn(node.left, found))
  return found
}
/** Where a formula names each code first. */
export const placesOf = (node: Node): ReadonlyMap<string, number> => codesIn(node, new Map())

const isCode = new RegExp(energyCode)
/** As formulas are stored: by the Id of each circuit, `#12`. */
export const storedCode = /^#\d{1,15}$/
/** Parses a formula. The caller checks codes and units. */
export const parseFormula = (text: string, ofCode = isCode): Parsed => {
  try {
    if (text.length > longestFormula) refuse('tooLong', longestFormula)
    for (const { 1: code, 2: sign, index } of text.matchAll(foreign)) {
      if (sign !== undefined) refuse('unexpected', index, sign)
      if (code !== undefined && !ofCode.test(code.trim())) refuse('unknownCode', index, code.trim().slice(0, 30))
    }
    const { tree, flaw } = parse(text.replace(reference, '{$1}'))
    if (!tree) return { flaw: { key: flaw.key, at: flaw.at, text: flaw.text } }
    const node = located(text, tree)
    constant(node)
    const places = [...placesOf(node)]
    if (places.length > mostOperands) refuse('tooManyCodes', places[mostOperands]![1], places[mostOperands]![0])
    return { node, codes: places.map(([code]) => code) }
  } catch (error) {
    if (error instanceof Refusal) return { flaw: error.flaw }
    throw error
  }
}

/** Powers of units, such as kWh¹ m³⁻¹. */
type Powers = ReadonlyMap<string, number>
const plainUnit = (unit: string) =>
  unit
    .trim()
    .replace(/([a-z])3$/, '$1³')
    .replace(/([a-z])2$/, '$1²')
const times = (a: Powers, b: Powers, sign: 1 | -1): Powers => {
  const all = new Map(a)
  for (const [unit, power] of b) all.set(unit, (all.get(unit) ?? 0) + sign * power)
  return new Map([...all].filter(([, power]) => power !== 0))
}
const isEqual = (a: Powers, b: Powers) => a.size === b.size && a.entries().every(([unit, power]) => b.get(unit) === power)
const written = (of: Powers) => [...of].map(([unit, power]) => (power === 1 ? unit : `${unit}^${power}`)).join('·')
const textOf = (node: Node): string =>
  node.kind === 'code' ? `[${node.code}]` : node.kind === 'number' ? node.text : textOf(node.kind === 'minus' ? node.of : node.left)

/** Where a formula does not give the unit of its circuit. Amounts are added to amounts of their unit, and to no bare number. */
export const unitFlaw = (node: Node, unitOf: (code: string) => string, unit: string): FormulaFlaw | undefined => {
  const wrong = (at: Node, found: Powers, expected: Powers): never => {
    const key = found.size ? 'otherUnit' : 'noUnit'
    throw new Refusal({ key, at: at.at, text: textOf(at), unit: written(found), expected: written(expected) || '–' })
  }
  const powers = (one: Node): Powers => {
    if (one.kind === 'number') return new Map()
    if (one.kind === 'code') return new Map([[plainUnit(unitOf(one.code)), 1]])
    if (one.kind === 'minus') return powers(one.of)
    const [left, right] = [powers(one.left), powers(one.right)]
    if (one.operator === '*' || one.operator === '/') return times(left, right, one.operator === '*' ? 1 : -1)
    if (!isEqual(left, right)) return left.size ? wrong(one.right, right, left) : wrong(one.left, left, right)
    return left
  }
  try {
    const [found, expected] = [powers(node), new Map([[plainUnit(unit), 1]])]
    return isEqual(found, expected) ? undefined : wrong(node, found, expected)
  } catch (error) {
    if (error instanceof Refusal) return error.flaw
    throw error
  }
}

/** Whole numbers, half away from zero. */
export const rounded = (n: bigint, d: bigint): bigint => {
  if (d === 1n) return n
  const [size, sign] = n < 0n ? [-n, -1n] : [n, 1n]
  return (sign * (2n * size + d)) / (2n * d)
}

export type CompiledFormula = {
  /** Codes in the order of the values that `evaluate` takes. */
  codes: readonly string[]
  /**
   * Thousandths from thousandths of each code. Null where one of them is null, and where a divisor is 0. What is not a whole number of
   * thousandths is rounded once, half away from zero.
   */
  evaluate(values: readonly (bigint | null)[]): bigint | null
  /** Of a weighted sum: the weight of each code over `divisor`; undefined for anything else. */
  sum?: { weights: readonly bigint[]; divisor: bigint }
}

/** The weights of a formula that is a weighted sum of its codes. */
const weightsOf = (node: Node): Map<string, Ratio> | undefined => {
  if (node.kind === 'number') return undefined
  if (node.kind === 'code') return new Map([[node.code, { n: 1n, d: 1n }]])
  const scaled = (of: Map<string, Ratio> | undefined, operator: '*' | '/', by: Ratio | null) =>
    of && by && new Map([...of].map(([code, weight]) => [code, calculate(operator, weight, by)!]))
  if (node.kind === 'minus') return scaled(weightsOf(node.of), '*', { n: -1n, d: 1n }) ?? undefined
  const [left, right] = [weightsOf(node.left), weightsOf(node.right)]
  if (node.operator === '/') return scaled(left, '/', constant(node.right)) ?? undefined
  if (node.operator === '*') return scaled(left, '*', constant(node.right)) ?? scaled(right, '*', constant(node.left)) ?? undefined
  if (!left || !right) return undefined
  for (const [code, weight] of right) left.set(code, calculate(node.operator, left.get(code) ?? { n: 0n, d: 1n }, weight)!)
  return left
}

type Evaluate = (values: readonly (bigint | null)[]) => Ratio | null
const closure = (node: Node, indexOf: (code: string) => number): Evaluate => {
  if (node.kind === 'number') return () => node.value
  if (node.kind === 'code') {
    const index = indexOf(node.code)
    return (values) => {
      const value = values[index]
      return value === null || value === undefined ? null : { n: value, d: 1n }
    }
  }
  if (node.kind === 'minus') {
    const of = closure(node.of, indexOf)
    return (values) => {
      const value = of(values)
      return value && { n: -value.n, d: value.d }
    }
  }
  const { operator } = node
  const [left, right] = [closure(node.left, indexOf), closure(node.right, indexOf)]
  return (values) => {
    const [a, b] = [left(values), right(values)]
    return a && b ? (calculate(operator, a, b) ?? null) : null
  }
}

/** Compiles a formula into a function. */
export const compileFormula = (node: Node): CompiledFormula => {
  const codes = [...placesOf(node).keys()]
  const found = weightsOf(node)
  if (found) {
    const divisor = [...found.values()].reduce((all, { d }) => (all % d === 0n ? all : all * d), 1n)
    const weights = codes.map((code) => (found.get(code)!.n * divisor) / found.get(code)!.d)
    const evaluate = (values: readonly (bigint | null)[]) => {
      let sum = 0n
      for (let i = 0; i < weights.length; i++) {
        const value = values[i]
        if (value === null || value === undefined) return null
        sum += weights[i]! * value
      }
      return rounded(sum, divisor)
    }
    return { codes, evaluate, sum: { weights, divisor } }
  }
  const work = closure(node, (code) => codes.indexOf(code))
  return {
    codes,
    evaluate: (values) => {
      const value = work(values)
      return value && rounded(value.n, value.d)
    },
  }
}
