// Expressions in braces in a model's points, such as `{base+4}` and `DB{db}.DBD4`. Each device sets the whole numbers.

/** One parameter of a model: `base=100 First register`. Without a default, every device must set a value. */
export type Parameter = { Name: string; Default: number | undefined; Text: string }

const name = '[A-Za-z]\\w{0,30}'
/** `base=100 First register;db=4`: name, default and text. */
export const parametersPattern = `^${name}=(-?\\d{1,9})?( [^;={}]{0,80})?(; ?${name}=(-?\\d{1,9})?( [^;={}]{0,80})?)*$`
/** A device's values: `base=200;db=5`. */
export const valuesPattern = `^${name}=-?\\d{1,9}(; ?${name}=-?\\d{1,9})*$`
/** Braces with letters, digits and + - *. The functions below parse the content. */
export const inBraces = '\\{[\\w +*-]{1,60}\\}'

/** The device's unit ID, a parameter of every model. */
export const ownUnit = 'unit'

export const readParameters = (text: string | null | undefined): Parameter[] =>
  (text ?? '').split(';').flatMap((part) => {
    const [, Name, number, Text = ''] = /^\s*([A-Za-z]\w*)=(-?\d+)?(?: (.*))?$/.exec(part) ?? []
    return Name ? [{ Name, Default: number === undefined ? undefined : Number(number), Text: Text.trim() }] : []
  })

/** Parameter values for a device: defaults, then the device's values, then its unit ID. */
export const numbersOf = (parameters: readonly Parameter[], values: string | null | undefined, slave: number) => {
  const known = parameters.flatMap((p): [string, number][] => (p.Default === undefined ? [] : [[p.Name, p.Default]]))
  const declared = new Set(parameters.map((p) => p.Name))
  const given = readParameters(values).flatMap((p): [string, number][] =>
    declared.has(p.Name) && p.Default !== undefined ? [[p.Name, p.Default]] : [],
  )
  return new Map([...known, ...given, [ownUnit, slave] as const])
}

export type Filled = { text: string } | { fault: 'braces' } | { fault: 'braceUnknown'; name: string } | { fault: 'braceTooLarge' }

/** Longer texts are refused without parsing. */
const longest = 200
const tokens = /\s*(?:(\d{1,9})(?!\w)|([A-Za-z]\w*)|([-+*]))\s*/y

type Token = { number: number } | { name: string } | { sign: string }
const tokensOf = (text: string): Token[] | undefined => {
  const found: Token[] = []
  tokens.lastIndex = 0
  while (tokens.lastIndex < text.length) {
    const match = tokens.exec(text)
    if (!match) return undefined
    const [, digits, word, sign] = match
    found.push(digits ? { number: Number(digits) } : word ? { name: word } : { sign: sign! })
  }
  return found
}

/** Evaluates a sum of products with an optional leading minus. */
const calculate = (text: string, numbers: ReadonlyMap<string, number>): { value: number } | Exclude<Filled, { text: string }> => {
  const found = tokensOf(text)
  if (!found?.length) return { fault: 'braces' }
  const first = found[0]!
  const list = 'sign' in first && first.sign === '-' ? [{ number: 0 }, ...found] : found
  if (list.length % 2 === 0) return { fault: 'braces' }
  let [sum, product, factor] = [0, 0, 1]
  for (const [i, token] of list.entries()) {
    if (i % 2 !== ('sign' in token ? 1 : 0)) return { fault: 'braces' }
    if ('sign' in token) {
      if (token.sign === '*') continue
      sum += product
      factor = token.sign === '-' ? -1 : 1
      continue
    }
    const value = 'number' in token ? token.number : numbers.get(token.name)
    if (value === undefined) return { fault: 'braceUnknown', name: (token as { name: string }).name }
    const before = list[i - 1]
    product = before && 'sign' in before && before.sign === '*' ? product * value : factor * value
    if (!Number.isSafeInteger(product) || !Number.isSafeInteger(sum + product)) return { fault: 'braceTooLarge' }
  }
  return { value: sum + product || 0 }
}

/** Replaces each expression in braces with its number. */
export const fill = (text: string, numbers: ReadonlyMap<string, number>): Filled => {
  if (text.length > longest) return { fault: 'braces' }
  let filled = ''
  for (let at = 0; at < text.length; ) {
    const [open, close] = [text.indexOf('{', at), text.indexOf('}', at)]
    if (open < 0 && close < 0) return { text: filled + text.slice(at) }
    if (open < 0 || close < open) return { fault: 'braces' }
    const found = calculate(text.slice(open + 1, close), numbers)
    if ('fault' in found) return found
    filled += text.slice(at, open) + found.value
    at = close + 1
  }
  return { text: filled }
}

/** Whether every expression in braces is well formed. */
export const isWellFormed = (text: string) => {
  const anyNumber = { get: () => 1 } as unknown as ReadonlyMap<string, number>
  const found = fill(text, anyNumber)
  return !('fault' in found) || found.fault !== 'braces'
}
