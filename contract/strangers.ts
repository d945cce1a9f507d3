// Limits on HTTP responses of untrusted services: interim responses without end and tiny chunks are cut off.

/** Interim answers (1xx) before the answer itself, pieces of a body that may be small, and bytes that more must have on average. */
const [mostInterim, mostSmall, leastBytes] = [20, 4096, 64]

type Asked = { on(event: 'information', told: () => void): unknown; destroy(error: Error): unknown }
/** Closes a connection that keeps sending interim (1xx) responses: each costs as much as a full one, and no byte limit counts them. */
export const cutInterim = (request: Asked) => {
  let count = 0
  request.on('information', () => {
    if (++count > mostInterim) request.destroy(new Error('interim answers without end'))
  })
}

/** Counts the pieces of a body; true once they are too many and too small. */
export const crumbs = () => {
  let [pieces, bytes] = [0, 0]
  return ({ length }: { length: number }): boolean => {
    pieces++
    bytes += length
    return pieces > mostSmall && bytes < pieces * leastBytes
  }
}
