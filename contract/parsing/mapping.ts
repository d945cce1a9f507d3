// A mapping locates readings in a JSON message. It is declarative: no code runs, so it needs no sandbox.
import { type Static, Type } from 'typebox'
import { beside, followsFrom, longestPath, type Match, matches, type Path, parsePath } from './path.ts'
import { excerpt, nameText, numberOf, timeOf, timeUnits } from './values.ts'

/** Where a name comes from: fixed, a path, the name of a field that matches `*`, or a level of the topic (the first is 1). */
export const sources = ['text', 'path', 'name', 'topic'] as const
const Source = Type.Object(
  {
    From: Type.Unsafe<(typeof sources)[number]>(Type.Union(sources.map((name) => Type.Literal(name)))),
    Is: Type.Optional(Type.String({ maxLength: longestPath })),
  },
  { additionalProperties: false },
)
export type Source = Static<typeof Source>

/** A path to values, and where device, key and time of each come from. */
export const MappingRule = Type.Object(
  {
    Value: Type.String({ minLength: 1, maxLength: longestPath }),
    Key: Source,
    /** The sender itself where it is missing. */
    Device: Type.Optional(Source),
    /** The time of arrival where it is missing. */
    Time: Type.Optional(Type.String({ minLength: 1, maxLength: longestPath })),
    TimeUnit: Type.Optional(
      Type.Unsafe<(typeof timeUnits)[number]>(
        Type.Union(
          timeUnits.map((unit) => Type.Literal(unit)),
          { default: 'ms' },
        ),
      ),
    ),
    /** Value times scale plus offset. */
    Scale: Type.Optional(Type.Number({ minimum: -1e12, maximum: 1e12 })),
    Offset: Type.Optional(Type.Number({ minimum: -1e12, maximum: 1e12 })),
  },
  { additionalProperties: false },
)
export type MappingRule = Static<typeof MappingRule>
export const mostRules = 100
export const Mapping = Type.Array(MappingRule, { minItems: 1, maxItems: mostRules })
export type Mapping = readonly MappingRule[]

/** A reading found in a message. */
export type Parsed = {
  /** Empty for the sender itself. */
  device: string
  key: string
  /** Epoch ms; null: the time of arrival. */
  time: number | null
  value: number
}
/** Words at `parse.fault.<reason>`. */
export const parseFaults = ['notJson', 'nothing', 'notANumber', 'noName', 'noTime', 'tooMany'] as const
export type ParseFault = { reason: (typeof parseFaults)[number]; rule: number | null; text: string }
export type ParseResult = { readings: Parsed[]; faults: ParseFault[] }

/** Readings of one message, and steps that it may cost. */
export const mostReadings = 10_000
const mostSteps = 100_000
const mostFaults = 50

/** What is wrong with a mapping: the rule, its field, and where in the text. */
export type MappingFault = { rule: number; field: 'Value' | 'Key' | 'Device' | 'Time'; reason: 'path' | 'wildcard' | 'empty'; at: number }
export const mappingFaults = (mapping: Mapping): MappingFault[] =>
  mapping.flatMap((rule, i) => {
    const main = parsePath(rule.Value)
    const fault = (field: MappingFault['field'], reason: MappingFault['reason'], at = 0): MappingFault[] => [{ rule: i, field, reason, at }]
    if ('at' in main) return fault('Value', 'path', main.at)
    const ofPath = (field: MappingFault['field'], text = ''): MappingFault[] => {
      const found = parsePath(text)
      if ('at' in found) return fault(field, 'path', found.at)
      return followsFrom(found.steps, main.steps) ? [] : fault(field, 'wildcard')
    }
    const ofSource = (field: 'Key' | 'Device', source: Source | undefined): MappingFault[] => {
      if (!source) return []
      const { From, Is = '' } = source
      if (From === 'path') return ofPath(field, Is)
      if (From === 'name') return main.steps.some((step) => 'each' in step && step.each === 'fields') ? [] : fault(field, 'wildcard')
      if (From === 'topic') return /^[1-9]\d?$/.test(Is) ? [] : fault(field, 'empty')
      return Is.trim() ? [] : fault(field, 'empty')
    }
    return [...ofSource('Key', rule.Key), ...ofSource('Device', rule.Device), ...(rule.Time === undefined ? [] : ofPath('Time', rule.Time))]
  })

type Compiled = MappingRule & { main: Path; paths: Partial<Record<'Key' | 'Device' | 'Time', Path>> }
const stepsOf = (text: string): Path => {
  const found = parsePath(text)
  return 'steps' in found ? found.steps : []
}
const compile = (rule: MappingRule): Compiled => {
  const ofSource = (source: Source | undefined) => (source?.From === 'path' ? stepsOf(source.Is ?? '') : undefined)
  const paths: Compiled['paths'] = {}
  const [key, device] = [ofSource(rule.Key), ofSource(rule.Device)]
  if (key) paths.Key = key
  if (device) paths.Device = device
  if (rule.Time !== undefined) paths.Time = stepsOf(rule.Time)
  return { ...rule, main: stepsOf(rule.Value), paths }
}

const nameOf = (
  rule: Compiled,
  field: 'Key' | 'Device',
  root: unknown,
  { bound }: Match,
  levels: readonly string[],
): string | undefined => {
  const source = rule[field]
  if (!source) return ''
  if (source.From === 'text') return nameText(source.Is)
  if (source.From === 'path') return nameText(beside(root, rule.paths[field]!, bound))
  if (source.From === 'topic') return nameText(levels[Number(source.Is) - 1])
  const names = bound.filter((is) => typeof is === 'string')
  return nameText(field === 'Key' ? names.at(-1) : names[0])
}

/** A mapping that is ready to read messages. It must be without faults. */
export const openMapping = (mapping: Mapping) => {
  const rules = mapping.map(compile)
  return (root: unknown, topic = ''): ParseResult => {
    const readings: Parsed[] = []
    const faults: ParseFault[] = []
    const fault = (reason: ParseFault['reason'], rule: number | null, text = '') => {
      if (faults.length < mostFaults) faults.push({ reason, rule, text })
    }
    const levels = topic.split('/', 99)
    const budget = { left: mostSteps }
    for (const [i, rule] of rules.entries()) {
      const before = readings.length + faults.length
      for (const match of matches(root, rule.main, budget)) {
        // Ignore null fields.
        if (match.value === null) continue
        if (readings.length >= mostReadings) {
          fault('tooMany', i, String(mostReadings))
          return { readings, faults }
        }
        const value = numberOf(match.value)
        if (value === undefined) {
          fault('notANumber', i, excerpt(match.value))
          continue
        }
        const [key, device] = [nameOf(rule, 'Key', root, match, levels), nameOf(rule, 'Device', root, match, levels)]
        if (key === undefined || device === undefined) {
          fault('noName', i, excerpt(match.value))
          continue
        }
        const given = rule.paths.Time && beside(root, rule.paths.Time, match.bound)
        const time = rule.paths.Time ? timeOf(given, rule.TimeUnit ?? 'ms') : null
        const scaled = value * (rule.Scale ?? 1) + (rule.Offset ?? 0)
        if (time === undefined) fault('noTime', i, excerpt(given))
        else if (!Number.isFinite(scaled)) fault('notANumber', i, excerpt(match.value))
        else readings.push({ device, key, time, value: scaled })
      }
      if (budget.left < 0) {
        fault('tooMany', i, String(mostSteps))
        return { readings, faults }
      }
      if (readings.length + faults.length === before) fault('nothing', i, rule.Value)
    }
    return { readings, faults }
  }
}

/** The same, of the text of a message. */
export const parseText = (read: ReturnType<typeof openMapping>, text: string, topic = ''): ParseResult => {
  let root: unknown
  try {
    root = JSON.parse(text)
  } catch (error) {
    return { readings: [], faults: [{ reason: 'notJson', rule: null, text: (error as Error).message.slice(0, 200) }] }
  }
  return read(root, topic)
}
