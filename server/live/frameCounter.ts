/** Bytes of a client's frame before its payload: two, the longer forms of the length, and the mask (RFC 6455, 5.2). */
const headerBytes = (length7: number) => 6 + (length7 === 126 ? 2 : length7 === 127 ? 8 : 0)

/** Counts the WebSocket frames that begin in each chunk, of any type, without unmasking or buffering them. */
export const frameCounter = () => {
  let header: number[] = []
  let payload = 0
  return (chunk: Buffer) => {
    let frames = 0
    for (let at = 0; at < chunk.length; ) {
      if (payload) {
        const part = Math.min(payload, chunk.length - at)
        payload -= part
        at += part
        continue
      }
      if (!header.length) frames++
      header.push(chunk[at++]!)
      const length7 = header.length > 1 ? header[1]! & 0x7f : 0
      if (header.length < 2 || header.length < headerBytes(length7)) continue
      const long = header.slice(2, headerBytes(length7) - 4)
      payload = long.length ? long.reduce((sum, byte) => sum * 256 + byte, 0) : length7
      header = []
    }
    return frames
  }
}
