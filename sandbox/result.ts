// Judges what a script answered, outside its world.
import type { Encoded, Outcome, ScriptEvent, ScriptFault, ScriptReading } from '../contract/parsing/script.ts'
import { excerpt, nameText, numberOf, timeOf } from '../contract/parsing/values.ts'
import { mostEvents, mostItems, mostWrong } from './limits.ts'

export const nothing = (): Outcome => ({ readings: [], wrong: [], events: [], lines: [], ms: 0 })
export const faulty = (reason: ScriptFault['reason'], text = '', line: number | null = null, column: number | null = null): Outcome => ({
  ...nothing(),
  fault: { reason, text, line, column },
})

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const own = (value: Record<string, unknown>, name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined)

/** Epoch ms; null for the time of arrival; undefined for none. */
const timeIn = (given: unknown): number | null | undefined => {
  if (given === undefined || given === null) return null
  return timeOf(given, typeof given === 'string' && numberOf(given) === undefined ? 'text' : 'ms')
}

const eventsIn = (given: unknown): ScriptEvent[] | undefined => {
  if (given === undefined || given === null) return []
  if (!Array.isArray(given)) return undefined
  return given.slice(0, mostEvents).flatMap((event) => {
    const Text = String((isObject(event) ? own(event, 'Text') : event) ?? '')
      .replace(/\p{Cc}|\p{Cs}/gu, ' ')
      .slice(0, 300)
    const level = isObject(event) ? own(event, 'Level') : 0
    return Text.trim() ? [{ Text, Level: level === 1 || level === 2 || level === 3 ? level : (0 as const) }] : []
  })
}

/** `{Items: [{Device, T, V: {key: value}, Q}], Events}`; Q is 1 where the value is doubtful, for all of V or by key. Null is no reading. */
export const outcomeOf = (result: unknown): Outcome => {
  if (result === null) return nothing()
  if (!isObject(result)) return faulty('shape', excerpt(result))
  const items = own(result, 'Items') ?? []
  const events = eventsIn(own(result, 'Events'))
  if (!Array.isArray(items) || !events) return faulty('shape', Array.isArray(items) ? 'Events' : 'Items')
  const readings: ScriptReading[] = []
  const wrong: Outcome['wrong'] = []
  const amiss = (reason: Outcome['wrong'][number]['reason'], of: unknown) => {
    if (wrong.length < mostWrong) wrong.push({ reason, text: excerpt(of) })
  }
  for (const item of items as unknown[]) {
    const values = isObject(item) ? own(item, 'V') : undefined
    if (!isObject(item) || !isObject(values)) return faulty('shape', 'Items[].V')
    const named = own(item, 'Device')
    const device = named === undefined || named === null || named === '' ? '' : nameText(named)
    const time = timeIn(own(item, 'T'))
    const quality = own(item, 'Q')
    for (const name of Object.keys(values)) {
      const given = values[name]
      if (given === null) continue
      const isBad = quality === 1 || (isObject(quality) && own(quality, name) === 1)
      const [key, value] = [nameText(name), numberOf(given)]
      if (readings.length >= mostItems) {
        amiss('tooMany', mostItems)
        return { ...nothing(), readings, wrong, events }
      }
      if (value === undefined) amiss('notANumber', given)
      else if (key === undefined || device === undefined) amiss('noName', given)
      else if (time === undefined) amiss('noTime', own(item, 'T'))
      else readings.push({ device, key, time, value, ...(isBad && { quality: 1 as const }) })
    }
  }
  return { ...nothing(), readings, wrong, events }
}

const longestTopic = 200
const longestPayload = 65_536
/** `{topic, payload}` of a write; null where the device takes none. */
export const encodedOf = (result: unknown): Outcome => {
  if (result === null) return nothing()
  if (!isObject(result)) return faulty('shape', excerpt(result))
  const { topic = '', payload } = result
  const bytes = isObject(payload) ? own(payload, 'hex') : undefined
  const text = typeof payload === 'string' ? payload : isObject(payload) && bytes === undefined ? JSON.stringify(payload) : undefined
  if (typeof topic !== 'string' || topic.length > longestTopic || /[+#\p{Cc}\p{Cs}]/u.test(topic)) return faulty('shape', 'topic')
  const encoded: Encoded | undefined =
    text !== undefined && text.length <= longestPayload
      ? { topic, payload: text }
      : typeof bytes === 'string' && bytes.length <= 2 * longestPayload
        ? { topic, payload: { hex: bytes } }
        : undefined
  return encoded ? { ...nothing(), encoded } : faulty('shape', 'payload')
}
