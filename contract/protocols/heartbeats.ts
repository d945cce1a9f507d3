import { find } from '../described/frames.ts'

/** ms for which bytes that may begin a heartbeat are held back. */
const heldMs = 30

const joined = (...parts: Uint8Array[]) => {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
/** Bytes at the end that may be the beginning of a heartbeat. */
const begun = (bytes: Uint8Array, of: Uint8Array) => {
  for (let length = Math.min(of.length - 1, bytes.length); length > 0; length--)
    if (bytes.subarray(bytes.length - length).every((byte, i) => byte === of[i])) return length
  return 0
}

/** Strips heartbeats from a stream, also fragmented ones, and passes on the rest. */
export const withoutHeartbeats = (heartbeat: Uint8Array | undefined, receive: (bytes: Uint8Array) => void) => {
  let held = new Uint8Array()
  let timer: ReturnType<typeof setTimeout> | undefined
  const release = () => {
    const bytes = held
    held = new Uint8Array()
    if (bytes.length) receive(bytes)
  }
  return {
    take: (bytes: Uint8Array) => {
      if (!heartbeat?.length) return receive(bytes)
      clearTimeout(timer)
      let rest: Uint8Array = held.length ? joined(held, bytes) : bytes
      held = new Uint8Array()
      const parts: Uint8Array[] = []
      for (let at = find(rest, heartbeat, 0); at >= 0; at = find(rest, heartbeat, 0)) {
        parts.push(rest.subarray(0, at))
        rest = rest.subarray(at + heartbeat.length)
      }
      const waiting = begun(rest, heartbeat)
      parts.push(rest.subarray(0, rest.length - waiting))
      const clean = joined(...parts)
      if (clean.length) receive(clean)
      if (!waiting) return
      held = Uint8Array.from(rest.subarray(rest.length - waiting))
      timer = setTimeout(release, heldMs)
    },
    close: () => clearTimeout(timer),
  }
}
