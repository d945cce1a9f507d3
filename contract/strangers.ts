// Answers of strangers' web services: what is dear to read and brings nothing is cut.

/** Interim answers (1xx) before the answer itself, pieces of a body that may be small, and bytes that more must have on average. */
const [mostInterim, mostSmall, leastBytes] = [20, 4096, 64]

type Asked = { on(event: 'information', told: () => void): unknown; destroy(error: Error): unknown }
/** Cuts a connection that goes on with interim answers: each costs as much as a whole one, and no limit of bytes counts them. */
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
