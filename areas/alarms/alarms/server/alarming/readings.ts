// The newest judged readings of points, as they are saved: a row of many points instead of a row each. What else is known of a point is
// saved as it changes; its newest reading changes all the time.

/** Points of a row; their numbers follow each other. */
const size = 1024
export const blockOf = (point: number) => Math.floor(point / size)

export type Reading = { time: number; value: number }
/** What an engine has to say of a point: its newest judged reading, and its active alarms with the extremes of this point. */
export type Newest<T> = Reading & { standing: readonly { of: T; extreme: number | undefined }[] }

/** Readings of a saved row; floats of 64 bits, least byte first. */
export const unpack = (block: number, bytes: Uint8Array): (Reading & { point: number })[] => {
  const all = new Float64Array(Uint8Array.from(bytes).buffer)
  return Array.from({ length: all.length / 2 }, (_, i) => ({ point: block * size + i, time: all[2 * i]!, value: all[2 * i + 1]! })).filter(
    ({ time }) => time !== 0,
  )
}

export const createReadings = () => {
  /** Time (epoch ms; 0 where there is none) and value of each point of a block. */
  const blocks = new Map<number, Float64Array<ArrayBuffer>>()
  return {
    put(point: number, { time, value }: Reading) {
      const block = blockOf(point)
      const all = blocks.get(block) ?? new Float64Array(2 * size)
      blocks.set(block, all)
      all.set([time, value], 2 * (point % size))
    },
    /** A block as it is now; undefined where nothing was ever read. */
    pack: (block: number): Buffer | undefined => {
      const all = blocks.get(block)
      return all && Buffer.from(all.slice().buffer)
    },
  }
}
