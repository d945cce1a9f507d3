/** ms for which bytes that may begin a heartbeat are held back. */
const heldMs = 30

/** Takes heartbeats out of a stream, also those that come in pieces; hands on the rest. */
export const withoutHeartbeats = (heartbeat: Buffer | undefined, receive: (bytes: Buffer) => void) => {
  let held: Buffer = Buffer.alloc(0)
  let timer: NodeJS.Timeout | undefined
  const release = () => {
    const bytes = held
    held = Buffer.alloc(0)
    if (bytes.length) receive(bytes)
  }
  /** Bytes at the end that may be the beginning of a heartbeat. */
  const begun = (bytes: Buffer, of: Buffer) => {
    for (let length = Math.min(of.length - 1, bytes.length); length > 0; length--)
      if (bytes.subarray(bytes.length - length).equals(of.subarray(0, length))) return length
    return 0
  }
  return {
    take: (bytes: Buffer) => {
      if (!heartbeat?.length) return receive(bytes)
      clearTimeout(timer)
      let rest = held.length ? Buffer.concat([held, bytes]) : bytes
      held = Buffer.alloc(0)
      const parts: Buffer[] = []
      for (let at = rest.indexOf(heartbeat); at >= 0; at = rest.indexOf(heartbeat)) {
        parts.push(rest.subarray(0, at))
        rest = rest.subarray(at + heartbeat.length)
      }
      const waiting = begun(rest, heartbeat)
      parts.push(rest.subarray(0, rest.length - waiting))
      const clean = Buffer.concat(parts)
      if (clean.length) receive(clean)
      if (!waiting) return
      held = Buffer.from(rest.subarray(rest.length - waiting))
      timer = setTimeout(release, heldMs)
    },
    close: () => clearTimeout(timer),
  }
}
