/** Tracks pressed keys and buttons, so that they are released when control ends: a panel may run a motor while a key is pressed. */
export const pressedInput = () => {
  const keys = new Set<number>()
  let pointer: Buffer | undefined
  return {
    /** Whether the message may pass. Rejects an implausible number of pressed keys. */
    follow(message: Buffer) {
      if (message[0] === 5) pointer = message[1] ? message : undefined
      if (message[0] !== 4) return true
      const key = message.readUInt32BE(4)
      if (message[1]) keys.add(key)
      else keys.delete(key)
      return keys.size <= 20
    },
    /** Messages that release all pressed keys and buttons. */
    released(): Buffer[] {
      const ups = [...keys].map((key) => {
        const up = Buffer.from([4, 0, 0, 0, 0, 0, 0, 0])
        up.writeUInt32BE(key, 4)
        return up
      })
      const up = pointer && Buffer.concat([Buffer.of(5, 0), pointer.subarray(2)])
      keys.clear()
      pointer = undefined
      return up ? [...ups, up] : ups
    },
  }
}
