import type { DemoPoint } from '../contract/demo-points.ts'

// How the plant's controllers lay numbers into registers; written apart from the gateway's decoder so that each checks the other.

/** Order of the two registers and of the bytes in each, by data type (ruling 29). */
const layouts: Record<number, { words: 1 | 2; isFloat?: boolean; isSigned?: boolean; swapWords?: boolean; swapBytes?: boolean }> = {
  1: { words: 1, isSigned: true },
  2: { words: 1 },
  31: { words: 1, isSigned: true, swapBytes: true },
  32: { words: 1, swapBytes: true },
  3: { words: 2, isSigned: true },
  4: { words: 2, isSigned: true, swapWords: true },
  5: { words: 2, isSigned: true, swapBytes: true },
  6: { words: 2, isSigned: true, swapWords: true, swapBytes: true },
  7: { words: 2, isFloat: true },
  8: { words: 2, isFloat: true, swapWords: true },
  9: { words: 2, isFloat: true, swapBytes: true },
  10: { words: 2, isFloat: true, swapWords: true, swapBytes: true },
  33: { words: 2 },
  34: { words: 2, swapWords: true },
  35: { words: 2, swapBytes: true },
  36: { words: 2, swapWords: true, swapBytes: true },
}

const swap = (word: number) => ((word & 0xff) << 8) | (word >> 8)

const scale = (p: DemoPoint) =>
  p.SampleLow !== null && p.SampleHigh !== null && p.ProjectLow !== null && p.ProjectHigh !== null
    ? { low: p.SampleLow, factor: (p.SampleHigh - p.SampleLow) / (p.ProjectHigh - p.ProjectLow), zero: p.ProjectLow }
    : { low: 0, factor: 1, zero: 0 }

/** The registers that show a value; whole numbers are cut to what their type holds. */
export const toWords = (p: DemoPoint, value: number): number[] => {
  const layout = layouts[p.ParaDataType]!
  const { low, factor, zero } = scale(p)
  const raw = low + (value - zero) * factor
  const view = new DataView(new ArrayBuffer(4))
  const bits = layout.words * 16
  const [least, most] = layout.isSigned ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1]
  if (layout.isFloat) view.setFloat32(0, raw)
  else view.setUint32(0, (Math.min(most, Math.max(least, Math.round(raw))) << (32 - bits)) >>> 0)
  const words = layout.words === 1 ? [view.getUint16(0)] : [view.getUint16(0), view.getUint16(2)]
  if (layout.swapWords) words.reverse()
  return layout.swapBytes ? words.map(swap) : words
}

/** The value that registers mean. */
export const fromWords = (p: DemoPoint, registers: readonly number[]): number => {
  const layout = layouts[p.ParaDataType]!
  const words = layout.swapBytes ? registers.map(swap) : [...registers]
  if (layout.swapWords) words.reverse()
  const view = new DataView(new ArrayBuffer(4))
  words.forEach((word, i) => {
    view.setUint16(i * 2, word)
  })
  const whole =
    layout.words === 1 ? (layout.isSigned ? view.getInt16(0) : view.getUint16(0)) : layout.isSigned ? view.getInt32(0) : view.getUint32(0)
  const { low, factor, zero } = scale(p)
  return ((layout.isFloat ? view.getFloat32(0) : whole) - low) / factor + zero
}

/** Registers that a point takes. */
export const width = (p: DemoPoint) => layouts[p.ParaDataType]?.words ?? 1
