import type { Protocol, SettingField } from '../../../../contract/protocols/protocol.ts'

/** Input for each setting, one line per device. */
export type Lines = Readonly<Record<string, string | undefined>>

/** The values of a setting in the order of the devices. A single whole number counts up. */
export const valuesOf = (field: SettingField, text: string | undefined, count: number): (string | number)[] => {
  const lines = (text ?? '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
  if (field.kind !== 'number') return lines
  const numbers = lines.map(Number)
  const [first] = numbers
  return first !== undefined && numbers.length === 1 && field.integer ? Array.from({ length: count }, (_, i) => first + i) : numbers
}

/** The settings of each device; undefined if the protocol has none. */
export const settingsOfEach = (fields: Protocol['device'], lines: Lines, count: number) => {
  const columns = Object.entries(fields).map(([name, field]) => [name, valuesOf(field, lines[name], count)] as const)
  const filled = columns.filter(([, values]) => values.length)
  if (!filled.length) return undefined
  const length = Math.max(...filled.map(([, values]) => values.length))
  return Array.from({ length }, (_, i) => Object.fromEntries(filled.flatMap(([name, values]) => (i in values ? [[name, values[i]!]] : []))))
}
