// InfluxDB line protocol: `measurement,tag=a field=1,other=2i 1465839830100400200`. Measurement and tags name the device, fields the points.
import { setImmediate } from 'node:timers/promises'
import { type Heard, type HeardValue, isName, longestName, mostValues } from './heard.ts'

/** Units per millisecond; `n` and `u` belong to the first version of the API. */
const units: Record<string, number> = { ns: 1e6, n: 1e6, us: 1e3, u: 1e3, µ: 1e3, ms: 1, s: 1e-3, m: 1 / 60_000, h: 1 / 3_600_000 }
export const isPrecision = (unit: string) => Object.hasOwn(units, unit)
const [longestLine, longestNumber] = [65_536, 400]
/** Maximum lines: each has at least one value. */
const mostLines = mostValues
/** Maximum faulty lines listed in an answer. */
export const namedLines = 20
export type LineFault = { line: number; text: string }

/** Splits at unescaped characters outside double quotes. */
const cut = (text: string, at: string, quotes: boolean): string[] => {
  const parts: string[] = []
  let from = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    if (c === '\\') i++
    else if (quotes && c === '"') quoted = !quoted
    else if (c === at && !quoted) {
      parts.push(text.slice(from, i))
      from = i + 1
    }
  }
  parts.push(text.slice(from))
  return parts
}
const plain = (text: string) => text.replace(/\\([,= \\])/g, '$1')

/** Undefined for an invalid value. A text is a value, but not a number. */
const fieldValue = (text: string): number | string | undefined => {
  if (/^(t|T|true|True|TRUE)$/.test(text)) return 1
  if (/^(f|F|false|False|FALSE)$/.test(text)) return 0
  if (text.length >= 2 && text.startsWith('"') && text.endsWith('"')) return text.slice(1, -1)
  // The pattern's cost is quadratic in the length.
  if (text.length > longestNumber) return undefined
  if (!/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?[iu]?$/.test(text)) return undefined
  const value = Number(text.replace(/[iu]$/, ''))
  return Number.isFinite(value) ? value : undefined
}

/** The series as device name: measurement and tags, sorted by name. */
const deviceOf = (series: string) => {
  const [measurement = '', ...tags] = cut(series, ',', false)
  const pairs = tags.map((tag) => cut(tag, '=', false))
  if (!measurement || pairs.some(([key, value, ...more]) => !key || !value || more.length)) return undefined
  return [plain(measurement), ...pairs.map((pair) => pair.map(plain).join('=')).sort()].join(',')
}

const tooManyValues = `more than ${mostValues} values`
const readLine = (line: string, perMs: number, into: HeardValue[]): string | undefined => {
  if (line.length > longestLine) return 'too long'
  const [series = '', fields = '', stamp, ...more] = cut(line, ' ', true).filter((part) => part !== '')
  if (!fields) return 'no fields'
  if (more.length) return 'something follows the timestamp'
  // At most every second character is an escape. Sorting the tags takes more than linear time.
  if (series.length > 2 * longestName) return 'measurement or tags'
  const device = deviceOf(series)
  if (device === undefined || !isName(device)) return 'measurement or tags'
  if (stamp !== undefined && !/^-?\d{1,20}$/.test(stamp)) return 'timestamp'
  const time = stamp === undefined ? null : Math.round(Number(stamp) / perMs)
  const values: HeardValue[] = []
  for (const field of cut(fields, ',', true)) {
    const [name = '', text = '', ...rest] = cut(field, '=', true)
    const [key, value] = [plain(name), fieldValue(text)]
    if (rest.length || value === undefined || !isName(key)) return `field ${field.slice(0, 40)}`
    values.push({ device, key, time, value })
  }
  if (into.length + values.length > mostValues) return tooManyValues
  into.push(...values)
}

export type HeardLines = Heard & { faults: LineFault[]; wrong: number }
/** Characters that are parsed before the event loop continues: some milliseconds. */
const sliceChars = 64 * 1024

/** Parses valid lines and names the others by number; above the limits, lines are only counted. Yields to other work. */
function* reading(text: string, precision: string): Generator<void, HeardLines> {
  const values: HeardValue[] = []
  const faults: LineFault[] = []
  let [line, wrong, pause] = [0, 0, sliceChars]
  let full: string | undefined
  for (let at = 0; at <= text.length; ) {
    const found = text.indexOf('\n', at)
    const end = found < 0 ? text.length : found
    if (at > pause) {
      pause = at + sliceChars
      yield
    }
    if (++line > mostLines) full ??= `more than ${mostLines} lines`
    const isCounted = full !== undefined
    const raw = isCounted ? '' : text.slice(at, end).trim()
    const isEmpty = isCounted ? at >= text.length : !raw || raw.startsWith('#')
    at = end + 1
    if (isEmpty) continue
    const fault = full ?? readLine(raw, units[precision] ?? 1e6, values)
    if (!fault) continue
    wrong++
    if (fault === tooManyValues) full = fault
    const isNamed = isCounted && faults.at(-1)?.text === fault
    if (faults.length < namedLines && !isNamed) faults.push({ line, text: fault })
  }
  const [first] = faults
  return { values, faults, wrong, ...(first && { fault: `line ${first.line}: ${first.text}` }) }
}
export const readLines = (text: string, precision: string): HeardLines => {
  const steps = reading(text, precision)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
/** The same, in slices: a body of megabytes does not block the process. */
export const readLinesInSlices = async (text: string, precision: string): Promise<HeardLines> => {
  const steps = reading(text, precision)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await setImmediate()
  }
}
