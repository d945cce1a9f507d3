// Stores the newest evaluated readings of points in rows of many points each. Other state of a point is saved when it changes;
// its newest reading changes constantly.

/** Points per row, with consecutive numbers. */
const size = 1024
export const blockOf = (point: number) => Math.floor(point / size)

export type Reading = { time: number; value: number }
/** Newest state of a point: its newest evaluated reading, and its active alarms with the extremes of this point. */
export type Newest<T> = Reading & { standing: readonly { of: T; extreme: number | undefined }[] }

/** Decodes a saved row; 64-bit floats, little-endian. */
export const unpack = (block: number, bytes: Uint8Array): (Reading & { point: number })[] => {
  const all = new Float64Array(Uint8Array.from(bytes).buffer)
  return Array.from({ length: all.length / 2 }, (_, i) => ({ point: block * size + i, time: all[2 * i]!, value: all[2 * i + 1]! })).filter(
    ({ time }) => time !== 0,
  )
}

export const createReadings = () => {
  /** Time (epoch ms; 0 if none) and value of each point of a block. */
  const blocks = new Map<number, Float64Array<ArrayBuffer>>()
  return {
    put(point: number, { time, value }: Reading) {
      const block = blockOf(point)
      const all = blocks.get(block) ?? new Float64Array(2 * size)
      blocks.set(block, all)
      all.set([time, value], 2 * (point % size))
    },
    /** The current block; undefined if it has no readings. */
    pack: (block: number): Buffer | undefined => {
      const all = blocks.get(block)
      return all && Buffer.from(all.slice().buffer)
    },
  }
}
