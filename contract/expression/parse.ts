// A small language for values: of points into pictures, formulas and interlocks. No eval; length and depth are bounded.

export const longestExpression = 1000
export const deepestExpression = 32

/** `#12` is a point by Id; `{Pump.Speed}` a name, which the picture or formula resolves. */
export type Reference = { id: number } | { name: string }

const functions = {
  ...{ if: [3, 3], min: [1, 20], max: [1, 20], abs: [1, 1], round: [1, 2], clamp: [3, 3], avg: [1, 20] },
  ...{ age: [1, 1], quality: [1, 1], alarm: [1, 1] },
} as const satisfies Record<string, readonly [least: number, most: number]>
export type Named = keyof typeof functions
/** These ask about a point instead of its value. */
const ofPoints: readonly string[] = ['age', 'quality', 'alarm']

/** These look back in time; formula points alone have them. */
export const histories = ['diff', 'rate', 'integral', 'shift'] as const
export type History = (typeof histories)[number]
const isHistory = (text: string): text is History => (histories as readonly string[]).includes(text)
const units = { s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const
/** How far back one of them looks, ms. */
export const [shortestSpan, longestSpan] = [1000, 400 * units.d]

export type Operator = '+' | '-' | '*' | '/' | '%' | '<' | '<=' | '>' | '>=' | '=' | '!=' | 'and' | 'or'
export type Tree =
  | { kind: 'number'; value: number }
  | { kind: 'reference'; of: Reference }
  | { kind: 'not' | 'minus'; of: Tree }
  | { kind: 'operator'; operator: Operator; left: Tree; right: Tree }
  | { kind: 'function'; name: Named; of: readonly Tree[] }
  /** `span` as it is written, such as 24h, and the same in `ms`. */
  | { kind: 'history'; name: History; of: Tree; span: string; ms: number }

/** What is wrong, and at which character, counted from 0. Words at `expression.<key>`. */
export type Flaw = {
  key: 'tooLong' | 'tooDeep' | 'unexpected' | 'ended' | 'unknownName' | 'arguments' | 'pointNeeded' | 'number' | 'duration'
  at: number
  text: string
}
class ParseError extends Error {
  readonly flaw: Flaw
  constructor(key: Flaw['key'], at: number, text = '') {
    super(key)
    this.flaw = { key, at, text }
  }
}

type Token = { text: string; at: number; kind: 'number' | 'duration' | 'id' | 'name' | 'word' | 'sign' | 'end' }
const pattern =
  /\s*(?:(?<duration>\d{1,8}(?:s|min|h|d)(?![A-Za-z]))|(?<number>\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|#(?<id>\d{1,15})|\{(?<name>[^{}]{1,120})\}|(?<word>[A-Za-z]+)|(?<sign><=|>=|!=|<>|==|[-+*/%<>=(),]))/y

/** Of device models: names without braces, digits, and three signs. No word means anything else here. */
const wholePattern = /\s*(?:(?<number>\d{1,9})(?!\w)|(?<name>[A-Za-z]\w*)|(?<sign>[-+*]))/y

const tokensOf = (text: string, pattern: RegExp): Token[] => {
  const tokens: Token[] = []
  pattern.lastIndex = 0
  const end = text.trimEnd().length
  while (pattern.lastIndex < end) {
    const from = pattern.lastIndex
    const found = pattern.exec(text)
    if (!found) {
      const at = from + text.slice(from).search(/\S/)
      throw new ParseError('unexpected', at, text[at] ?? '')
    }
    const { number, duration, id, name, word, sign } = found.groups!
    const at = from + found[0].search(/\S/)
    if (duration !== undefined) tokens.push({ text: duration, at, kind: 'duration' })
    else if (number !== undefined) tokens.push({ text: number, at, kind: 'number' })
    else if (id !== undefined) tokens.push({ text: id, at, kind: 'id' })
    else if (name !== undefined) tokens.push({ text: name.trim(), at, kind: 'name' })
    else if (word !== undefined) tokens.push({ text: word.toLowerCase(), at, kind: 'word' })
    else tokens.push({ text: { '==': '=', '<>': '!=' }[sign!] ?? sign!, at, kind: 'sign' })
  }
  tokens.push({ text: '', at: end, kind: 'end' })
  return tokens
}

/** From the loosest to the tightest; `not` lies between `and` and the comparisons, which do not chain. */
const levels: readonly (readonly string[])[] = [['or'], ['and'], ['<', '<=', '>', '>=', '=', '!='], ['+', '-'], ['*', '/', '%']]
const comparing = 2

class Parser {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0
  /** Whole numbers: a minus only before everything. Formulas: points by Id and functions that look back, and nothing that only now has. */
  readonly #language: Spoken
  constructor(text: string, language: Spoken) {
    this.#tokens = tokensOf(text, language === 'whole' ? wholePattern : pattern)
    this.#language = language
  }
  get #next() {
    return this.#tokens[this.#at]!
  }
  #take() {
    return this.#tokens[this.#at++]!
  }
  #unexpected(): never {
    const { kind, at, text } = this.#next
    throw new ParseError(kind === 'end' ? 'ended' : 'unexpected', at, text)
  }
  #expect(sign: string) {
    if (this.#next.text !== sign || this.#next.kind !== 'sign') this.#unexpected()
    this.#at++
  }

  whole(): Tree {
    const tree = this.#level(0)
    if (this.#next.kind !== 'end') this.#unexpected()
    return tree
  }
  #deeper(parse: () => Tree): Tree {
    if (++this.#depth > deepestExpression) throw new ParseError('tooDeep', this.#next.at)
    const tree = parse()
    this.#depth--
    return tree
  }
  #level(level: number): Tree {
    const operators = levels[level]
    if (!operators) return this.#unary()
    if (level === comparing && this.#next.kind === 'word' && this.#next.text === 'not') {
      this.#at++
      return this.#deeper(() => ({ kind: 'not', of: this.#level(comparing) }))
    }
    let left = this.#level(level + 1)
    for (let steps = 0; (this.#next.kind === 'sign' || this.#next.kind === 'word') && operators.includes(this.#next.text); steps++) {
      if (level === comparing && steps) this.#unexpected()
      // A long sum is a deep tree, too.
      if (steps >= 200) throw new ParseError('tooDeep', this.#next.at)
      const operator = this.#take().text as Operator
      left = { kind: 'operator', operator, left, right: this.#level(level + 1) }
    }
    return left
  }
  #unary(): Tree {
    const { text, kind } = this.#next
    if (kind === 'sign' && text === '-' && !(this.#language === 'whole' && this.#at)) {
      this.#at++
      return this.#deeper(() => ({ kind: 'minus', of: this.#unary() }))
    }
    return this.#primary()
  }
  #primary(): Tree {
    const { kind, text, at } = this.#next
    if (kind === 'number') {
      const value = Number(this.#take().text)
      if (!Number.isFinite(value)) throw new ParseError('number', at, text)
      return { kind: 'number', value }
    }
    if (kind === 'id' || (kind === 'name' && this.#language !== 'formula')) {
      this.#at++
      return { kind: 'reference', of: kind === 'id' ? { id: Number(text) } : { name: text } }
    }
    if (kind === 'sign' && text === '(') {
      this.#at++
      const inside = this.#deeper(() => this.#level(0))
      this.#expect(')')
      return inside
    }
    if (kind === 'word') return this.#word()
    return this.#unexpected()
  }
  #word(): Tree {
    const { text, at } = this.#take()
    if (text === 'true' || text === 'false') return { kind: 'number', value: text === 'true' ? 1 : 0 }
    const isFormula = this.#language === 'formula'
    if (isFormula && isHistory(text)) return this.#history(text, at)
    if (!Object.hasOwn(functions, text) || (isFormula && ofPoints.includes(text))) throw new ParseError('unknownName', at, text)
    const name = text as Named
    this.#expect('(')
    const of = [this.#deeper(() => this.#level(0))]
    while (this.#next.text === ',') {
      this.#at++
      of.push(this.#deeper(() => this.#level(0)))
    }
    this.#expect(')')
    const [least, most] = functions[name]
    if (of.length < least || of.length > most) throw new ParseError('arguments', at, text)
    if (ofPoints.includes(name) && of[0]!.kind !== 'reference') throw new ParseError('pointNeeded', at, text)
    return { kind: 'function', name, of }
  }
  #history(name: History, at: number): Tree {
    this.#expect('(')
    const of = this.#deeper(() => this.#level(0))
    if (this.#next.text === ')') throw new ParseError('arguments', at, name)
    this.#expect(',')
    const { kind, text: span, at: place } = this.#take()
    const [, digits, unit] = /^(\d+)(s|min|h|d)$/.exec(kind === 'duration' ? span : '') ?? []
    const ms = unit ? Number(digits) * units[unit as keyof typeof units] : 0
    if (ms < shortestSpan || ms > longestSpan) throw new ParseError('duration', place, span)
    this.#expect(')')
    return { kind: 'history', name, of, span, ms }
  }
}

type Spoken = 'picture' | 'whole' | 'formula'
type Parsed = { tree: Tree; flaw?: undefined } | { tree?: undefined; flaw: Flaw }
const parsed = (text: string, language: Spoken): Parsed => {
  try {
    if (text.length > longestExpression) throw new ParseError('tooLong', longestExpression)
    return { tree: new Parser(text, language).whole() }
  } catch (error) {
    if (error instanceof ParseError) return { flaw: error.flaw }
    throw error
  }
}

/**
 * Reads an expression. Numbers are written with a dot; true is 1 and false 0; `and`, `or` and `not` are words.
 * Functions: `if` `min` `max` `abs` `round` `clamp` `avg`, and of a point `age` (s), `quality` (0 to 4), `alarm` (0 to 3).
 */
export const parse = (text: string) => parsed(text, 'picture')

/** Reads the arithmetic of device models, such as `base+4`: names, digits, + - * and one minus before everything. */
export const parseWhole = (text: string) => parsed(text, 'whole')

/** Reads the expression of a formula point: points as `#12`, and `diff` `rate` `integral` `shift` of a value and a duration such as `24h`. */
export const parseFormula = (text: string) => parsed(text, 'formula')

/** Direct parts of a tree. */
export const partsOf = (tree: Tree): readonly Tree[] => {
  if (tree.kind === 'operator') return [tree.left, tree.right]
  if (tree.kind === 'function') return tree.of
  return tree.kind === 'not' || tree.kind === 'minus' || tree.kind === 'history' ? [tree.of] : []
}
/** What an expression reads, each once. */
export const referencesOf = (tree: Tree): Reference[] => {
  const found = new Map<string, Reference>()
  const look = (one: Tree) => {
    if (one.kind === 'reference') found.set(keyOf(one.of), one.of)
    for (const part of partsOf(one)) look(part)
  }
  look(tree)
  return [...found.values()]
}

const written = /#(\d{1,15})|\{([^{}]{1,120})\}/g
/** What an expression without a flaw reads, found by its signs alone: many times as quick as parsing it. */
export const referencesWritten = (text: string): Reference[] =>
  Array.from(text.matchAll(written), ([, id, name]) => (id === undefined ? { name: name!.trim() } : { id: Number(id) }))

/** A reference as it is written, without spaces: `#12` or `{Pump.Speed}`. */
export const keyOf = (reference: Reference) => ('id' in reference ? `#${reference.id}` : `{${reference.name}}`)
