// What sources of messages share: paths into a message, and where it says its time.
import { choice, text } from '../field.ts'
import { longestPath, type Path, parsePath } from '../parsing/path.ts'
import { timeUnits } from '../parsing/values.ts'
import type { Misread, SettingField } from './protocol.ts'

/** A path to one value: a wildcard would be many. */
export const valuePath = (text: string): { steps: Path } | Misread => {
  const parsed = parsePath(text)
  if ('at' in parsed || !parsed.steps.some((step) => 'each' in step)) return parsed
  const unquoted = text.replace(/"(?:[^"\\]|\\.)*"/g, (name) => ' '.repeat(name.length))
  return { at: unquoted.indexOf('*') }
}

/** Settings of a channel whose messages may say when their values were measured. */
export const timeFields: Readonly<Record<string, SettingField>> = {
  /** Looked for beside the value, then in the objects around it. */
  TimePath: text({ max: longestPath }),
  TimeUnit: choice(timeUnits, { default: 'ms' }),
}
/** Columns that mean nothing: a message says itself what a value is. */
export const unusedByMessages = ['RegisterType', 'SlaveNumber', 'ParaDataType'] as const
