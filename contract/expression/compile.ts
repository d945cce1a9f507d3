import { keyOf, type Named, type Operator, type Tree } from './parse.ts'

/** The current state of a reference. `value` null: missing or unusable. `age` in seconds, null before the first reading. `alarm` null: unknown. */
export type Reading = { value: number | null; quality: number; age: number | null; alarm: number | null }
/** By the key of a reference, such as `#12`. */
export type Read = (key: string) => Reading
/** The value now; null where it depends on one that is missing or bad, and where arithmetic has no finite result. */
export type Evaluate = (read: Read) => number | null

const finite = (n: number) => (Number.isFinite(n) ? n : null)
const truth = (is: boolean) => (is ? 1 : 0)
const calculate: Record<Exclude<Operator, 'and' | 'or'>, (a: number, b: number) => number> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '<': (a, b) => truth(a < b),
  '<=': (a, b) => truth(a <= b),
  '>': (a, b) => truth(a > b),
  '>=': (a, b) => truth(a >= b),
  '=': (a, b) => truth(a === b),
  '!=': (a, b) => truth(a !== b),
}

/** Three-valued (Kleene): what is unknown decides nothing that the other side decides. */
const both =
  (a: Evaluate, b: Evaluate, deciding: 0 | 1): Evaluate =>
  (read) => {
    const left = a(read)
    if (left !== null && truth(left !== 0) === deciding) return deciding
    const right = b(read)
    if (right !== null && truth(right !== 0) === deciding) return deciding
    return left === null || right === null ? null : 1 - deciding
  }

const spread = (of: readonly Evaluate[], join: (values: number[]) => number): Evaluate => {
  const values = new Array<number>(of.length)
  return (read) => {
    for (let i = 0; i < of.length; i++) {
      const value = of[i]!(read)
      if (value === null) return null
      values[i] = value
    }
    return finite(join(values))
  }
}
const rounded = (x: number, digits: number) => {
  const factor = 10 ** Math.min(10, Math.max(-10, Math.trunc(digits)))
  return Math.round(x * factor) / factor
}

const call = (name: Named, of: readonly Tree[]): Evaluate => {
  const [first] = of
  const key = first?.kind === 'reference' ? keyOf(first.of) : ''
  const compiled = of.map(compile)
  const [a, b, c] = compiled as [Evaluate, Evaluate, Evaluate]
  switch (name) {
    case 'age':
      return (read) => read(key).age
    case 'quality':
      return (read) => read(key).quality
    case 'alarm':
      return (read) => read(key).alarm
    case 'if':
      return (read) => {
        const is = a(read)
        return is === null ? null : is !== 0 ? b(read) : c(read)
      }
    case 'avg':
      return spread(compiled, (values) => values.reduce((sum, value) => sum + value, 0) / values.length)
    case 'min':
      return spread(compiled, (values) => Math.min(...values))
    case 'max':
      return spread(compiled, (values) => Math.max(...values))
    case 'abs':
      return spread(compiled, ([x]) => Math.abs(x!))
    case 'round':
      return spread(compiled, ([x, digits]) => rounded(x!, digits ?? 0))
    case 'clamp':
      return spread(compiled, ([x, low, high]) => Math.min(high!, Math.max(low!, x!)))
  }
}

/** Makes a function of a tree, once; evaluating allocates nothing. */
export const compile = (tree: Tree): Evaluate => {
  switch (tree.kind) {
    case 'number':
      return () => tree.value
    case 'reference': {
      const key = keyOf(tree.of)
      return (read) => read(key).value
    }
    case 'minus': {
      const of = compile(tree.of)
      return (read) => {
        const value = of(read)
        return value === null ? null : -value
      }
    }
    case 'not': {
      const of = compile(tree.of)
      return (read) => {
        const value = of(read)
        return value === null ? null : truth(value === 0)
      }
    }
    case 'history':
      // Needs history, which a single evaluation lacks: the formula evaluator substitutes a column of values.
      return () => null
    case 'function':
      return call(tree.name, tree.of)
    case 'operator': {
      const [left, right] = [compile(tree.left), compile(tree.right)]
      const { operator } = tree
      if (operator === 'and') return both(left, right, 0)
      if (operator === 'or') return both(left, right, 1)
      const join = calculate[operator]
      return (read) => {
        const [a, b] = [left(read), right(read)]
        return a === null || b === null ? null : finite(join(a, b))
      }
    }
  }
}
