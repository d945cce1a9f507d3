import type { PanelEnd } from '../contract.ts'

/** Ends a viewer's session. `text`: message of the panel itself. */
export class Ended extends Error {
  readonly reason: PanelEnd
  readonly text: string | undefined
  constructor(reason: PanelEnd, text?: string) {
    super(reason)
    this.reason = reason
    this.text = text
  }
}

/** A stream parser: each yield waits for a number of bytes, or skips them if negative. */
export type Reading<T = void> = Generator<number, T, Buffer>

const none: Buffer = Buffer.alloc(0)

/** Feeds chunks to a parser. Buffers only the bytes that one yield waits for. Returns the bytes after the end of a finished parser. */
export const reader = (reading: Reading) => {
  let step = reading.next(none)
  let buffered = none
  return (chunk: Buffer): Buffer | undefined => {
    let at = 0
    while (!step.done) {
      const wanted = step.value
      if (wanted <= 0) {
        const skipped = Math.min(-wanted, chunk.length - at)
        at += skipped
        if (skipped < -wanted) {
          step = { done: false, value: wanted + skipped }
          return
        }
        step = reading.next(none)
        continue
      }
      const part = chunk.subarray(at, at + wanted - buffered.length)
      at += part.length
      buffered = buffered.length ? Buffer.concat([buffered, part]) : part
      if (buffered.length < wanted) return
      const whole = buffered
      buffered = none
      step = reading.next(whole)
    }
    return chunk.subarray(at)
  }
}
