// Values in JSON or text messages, for drivers of message sources.

import { beside, type Path, parsePath } from '../../contract/parsing/path.ts'
import { numberOf, timeOf } from '../../contract/parsing/values.ts'
import { timeFields } from '../../contract/protocols/message-path.ts'
import { settingOf } from '../../contract/protocols/settings.ts'
import { Quality } from '../../contract/telemetry.ts'
import type { ChannelRow, PointRow, Reading } from './driver.ts'
import { numberInText, readingOfValue } from './numbers.ts'

/** Maximum characters of a text that is parsed as a number. */
const longestText = 100
const bad = (quality: number): Reading => ({ value: null, quality })
export const unknownValue = bad(Quality.notConfigured)

/** A message: its text, and its JSON value. */
export type Message = { text: string; root: unknown }
export const messageOf = (text: string): Message => {
  try {
    return { text, root: JSON.parse(text) }
  } catch {
    return { text, root: undefined }
  }
}

/** The reading of a value in a message; an integer beyond 2^53 was rounded when parsed. */
const readingOf = (point: PointRow, value: unknown): Reading => {
  if (value === undefined) return unknownValue
  const number = typeof value === 'string' ? numberInText(value.slice(0, longestText)) : numberOf(value)
  if (number === undefined) return bad(Quality.exception)
  const isRounded = Number.isInteger(number) && !Number.isSafeInteger(number) && Math.abs(number) < 2 ** 64
  const reading = readingOfValue(point, number)
  return isRounded && reading.quality === Quality.good ? { ...reading, quality: Quality.uncertain } : reading
}

/** Reads points of a channel from its messages, with the times in them. */
export const openMessages = ({ Settings }: ChannelRow) => {
  const text = (name: string) => String(settingOf(timeFields, Settings, name) ?? '')
  const parsed = text('TimePath') ? parsePath(text('TimePath')) : undefined
  const timePath = parsed && 'steps' in parsed ? parsed.steps : undefined
  const unit = text('TimeUnit') as Parameters<typeof timeOf>[1]

  /** Looks for a time beside the value, then in the enclosing objects. Without one the reading is doubtful. */
  const timeAt = (root: unknown, path: Path): number | undefined => {
    if (!timePath) return undefined
    for (let depth = Math.max(0, path.length - 1); depth >= 0; depth--) {
      const found = beside(root, [...path.slice(0, depth), ...timePath], [])
      if (found !== undefined && found !== null) return timeOf(found, unit) ?? Number.NaN
    }
    return Number.NaN
  }

  return {
    /** Without a path, the whole message is the value. */
    read: (point: PointRow, { text, root }: Message, path: Path | undefined): Reading => {
      if (!path) return readingOf(point, root === undefined ? text : root)
      if (root === undefined) return bad(Quality.exception)
      const reading = readingOf(point, beside(root, path, []))
      const time = reading.value === null ? undefined : timeAt(root, path)
      return time === undefined ? reading : { ...reading, time }
    },
  }
}
