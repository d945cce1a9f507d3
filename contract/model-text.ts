// Expressions in braces in a model's points, such as `{base+4}` and `DB{db}.DBD4`. Each device sets the whole numbers.
import { type Whole, wholeNumber } from './expression/whole.ts'

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

export type Filled = { text: string } | Exclude<Whole, { value: number }>

/** Longer texts are refused without parsing. */
const longest = 200

/** Replaces each expression in braces with its number. */
export const fill = (text: string, numbers: ReadonlyMap<string, number>): Filled => {
  if (text.length > longest) return { fault: 'braces' }
  let filled = ''
  for (let at = 0; at < text.length; ) {
    const [open, close] = [text.indexOf('{', at), text.indexOf('}', at)]
    if (open < 0 && close < 0) return { text: filled + text.slice(at) }
    if (open < 0 || close < open) return { fault: 'braces' }
    const found = wholeNumber(text.slice(open + 1, close), numbers)
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
