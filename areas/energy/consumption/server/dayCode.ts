// A day of a circuit in few bytes: values as variable-length numbers, then runs of what is known of them.
import type { QuarterParts } from '../../../../server/telemetry/meaning/quarters.ts'

export const perDay = 96
const isUnknown = 8

/** Whole thousandths up to 2^53; larger values are inexact, and Infinity would never stop encoding. */
const putNumber = (bytes: number[], value: number) => {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no amount of a quarter-hour.`)
  let rest = value < 0 ? -value * 2 - 1 : value * 2
  while (rest >= 128) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
}

export const encodeDay = ({ value, quality, unknown }: Omit<QuarterParts, 'start' | 'events'>, from: number): Buffer => {
  const bytes: number[] = []
  for (let i = from; i < from + perDay; i++) putNumber(bytes, value[i]!)
  for (let i = from; i < from + perDay; ) {
    const kind = unknown[i] ? isUnknown : quality[i]!
    let next = i + 1
    while (next < from + perDay && (unknown[next] ? isUnknown : quality[next]!) === kind) next++
    bytes.push(next - i, kind)
    i = next
  }
  return Buffer.from(bytes)
}

/** Writes a day into a range of quarter-hours, from `at` on; parts of the day outside of it are left out. */
export const decodeDay = (bytes: Uint8Array, to: Omit<QuarterParts, 'start' | 'events'>, at: number) => {
  let place = 0
  const length = to.value.length
  for (let i = at; i < at + perDay; i++) {
    let [value, factor] = [0, 1]
    for (;;) {
      const byte = bytes[place++]!
      value += (byte & 127) * factor
      factor *= 128
      if (byte < 128) break
    }
    if (i >= 0 && i < length) to.value[i] = value % 2 ? -(value + 1) / 2 : value / 2
  }
  for (let i = at; i < at + perDay; ) {
    const [count, kind] = [bytes[place++]!, bytes[place++]!]
    const [from, end] = [Math.max(0, i), Math.min(length, i + count)]
    if (end > from) {
      to.quality.fill(kind === isUnknown ? 0 : kind, from, end)
      to.unknown.fill(kind === isUnknown ? 1 : 0, from, end)
    }
    i += count
  }
}
