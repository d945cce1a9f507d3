// Whole-number arithmetic of device models, such as `base+4`. Exact, or refused.
import { parseWhole, type Tree } from './parse.ts'

type Fault = { fault: 'braces' } | { fault: 'braceUnknown'; name: string } | { fault: 'braceTooLarge' }
export type Whole = { value: number } | Fault

class Stopped extends Error {
  readonly why: Fault
  constructor(why: Fault) {
    super(why.fault)
    this.why = why
  }
}

type Numbers = ReadonlyMap<string, number>

/** A number, a name or a product. */
const product = (tree: Tree, numbers: Numbers, before: number, sign: 1 | -1): number => {
  if (tree.kind === 'number') return sign * tree.value
  if (tree.kind === 'operator') return calculate(tree.left, numbers, before, sign) * calculate(tree.right, numbers, 0, 1)
  const name = tree.kind === 'reference' && 'name' in tree.of ? tree.of.name : ''
  const value = numbers.get(name)
  if (value === undefined) throw new Stopped({ fault: 'braceUnknown', name })
  return sign * value
}

/** The worth of a tree after a sum of `before`. Each step is a safe integer, so that none is rounded. */
const calculate = (tree: Tree, numbers: Numbers, before: number, sign: 1 | -1): number => {
  if (tree.kind === 'minus') return calculate(tree.of, numbers, before, -1)
  if (tree.kind === 'operator' && tree.operator !== '*') {
    const sum = calculate(tree.left, numbers, before, sign)
    return sum + calculate(tree.right, numbers, sum, tree.operator === '-' ? -1 : 1)
  }
  const value = product(tree, numbers, before, sign)
  if (!Number.isSafeInteger(value) || !Number.isSafeInteger(before + value)) throw new Stopped({ fault: 'braceTooLarge' })
  return value
}

/** Evaluates a sum of products with an optional leading minus. */
export const wholeNumber = (text: string, numbers: Numbers): Whole => {
  const { tree } = parseWhole(text)
  if (!tree) return { fault: 'braces' }
  try {
    return { value: calculate(tree, numbers, 0, 1) || 0 }
  } catch (error) {
    if (error instanceof Stopped) return error.why
    throw error
  }
}
