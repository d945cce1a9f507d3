/** A Modbus device's answers to reads and writes of holding registers: words 1 to 100, each its own number; others are exception 2. */
export const modbusWords = () => {
  const words = new Map(Array.from({ length: 100 }, (_, i) => [i + 1, i + 1]))
  const refusal = (pdu: Buffer, code: number) => Buffer.of(pdu[0]! | 0x80, code)
  return {
    words,
    refusal,
    answer: (pdu: Buffer): Buffer => {
      const [start, second] = [pdu.readUInt16BE(1), pdu.readUInt16BE(3)]
      if (pdu[0] === 6) {
        words.set(start, second)
        return pdu
      }
      const found = Array.from({ length: second }, (_, i) => words.get(start + i))
      if (found.some((word) => word === undefined)) return refusal(pdu, 2)
      const data = Buffer.alloc(2 + 2 * second)
      data[0] = pdu[0]!
      data[1] = 2 * second
      found.forEach((word, i) => {
        data.writeUInt16BE(word!, 2 + 2 * i)
      })
      return data
    },
  }
}
