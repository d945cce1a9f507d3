import { keyOf, type Operator, type Reference, type Tree } from './parse.ts'

const tightness: Record<Operator, number> = {
  ...{ or: 0, and: 1, '<': 2, '<=': 2, '>': 2, '>=': 2, '=': 2, '!=': 2 },
  ...{ '+': 3, '-': 3, '*': 4, '/': 4, '%': 4 },
}
const unary = 5
/** As the comparisons that it may stand before. */
const negation = 2
const tightnessOf = (tree: Tree) =>
  tree.kind === 'operator' ? tightness[tree.operator] : tree.kind === 'minus' ? unary : tree.kind === 'not' ? negation : 6

/** Prints a tree with as few brackets as possible; the text parses to an equal tree. `rename` replaces references. */
export const print = (tree: Tree, rename: (reference: Reference) => Reference = (reference) => reference): string => {
  const inside = (one: Tree, least: number) => (tightnessOf(one) < least ? `(${text(one)})` : text(one))
  const text = (one: Tree): string => {
    switch (one.kind) {
      case 'number':
        return String(one.value)
      case 'reference':
        return keyOf(rename(one.of))
      case 'minus':
        return `-${inside(one.of, unary)}`
      case 'not':
        return `not ${inside(one.of, negation)}`
      case 'function':
        return `${one.name}(${one.of.map(text).join(', ')})`
      case 'history':
        return `${one.name}(${text(one.of)}, ${one.span})`
      case 'operator': {
        const own = tightness[one.operator]
        // Comparisons do not chain, and the rest leans to the left.
        return `${inside(one.left, own === 2 ? 3 : own)} ${one.operator} ${inside(one.right, own + 1)}`
      }
    }
  }
  return text(tree)
}
