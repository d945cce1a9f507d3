import { afterEach, describe, expect, test } from 'vitest'
import { channelRow, pointRow, startPlc, startRaw } from '../../testing/plc.ts'
import { modbus } from './driver.ts'
import { ascii, crc16, mbap, rtu } from './frames.ts'

const opened: { close(): unknown }[] = []
const opens = <T extends { close(): unknown }>(it: T) => {
  opened.push(it)
  return it
}
afterEach(async () => {
  for (const it of opened.splice(0).reverse()) await it.close()
})

const driverOn = async (port: number, ProtocolType = 0) => {
  const driver = opens(modbus({ channel: channelRow(port, { ProtocolType }), changed: () => {} }))
  await driver.connect()
  return driver
}
const readAll = async (driver: Awaited<ReturnType<typeof driverOn>>, points: Parameters<typeof driver.plan>[0]) =>
  (await Promise.all(driver.plan(points).map((b) => driver.read(b)))).flat().map((r) => [r.value, r.quality])

describe('against a Modbus server', () => {
  test('reads coils, inputs, registers and single bits, scaled', async () => {
    const plc = opens(await startPlc())
    plc.bits[3] = 1
    plc.words[100] = 0b1000
    plc.words[7] = 13824
    plc.float(10, 21.7)
    const driver = await driverOn(plc.port)
    expect(await readAll(driver, [pointRow(1, 3, { RegisterType: 0, ParaDataType: 0 })])).toEqual([[1, 0]])
    expect(await readAll(driver, [pointRow(1, 4, { RegisterType: 1, ParaDataType: 0 })])).toEqual([[0, 0]])
    expect(await readAll(driver, [pointRow(1, '100.3', { ParaDataType: 0 })])).toEqual([[1, 0]])
    expect(await readAll(driver, [pointRow(1, '100.2', { ParaDataType: 0 })])).toEqual([[0, 0]])
    const scale = { SampleLow: 0, SampleHigh: 27648, ProjectLow: -10, ProjectHigh: 10 }
    expect(await readAll(driver, [pointRow(1, 7, scale), pointRow(2, 10, { ParaDataType: 7, RegisterType: 4 })])).toEqual([
      [0, 0],
      [21.7, 0],
    ])
    plc.words[7] = 30000
    expect((await readAll(driver, [pointRow(1, 7, scale)]))[0]![1]).toBe(1)
  })

  test('writes a coil, one register, two registers and one bit without its neighbours', async () => {
    const plc = opens(await startPlc())
    const driver = await driverOn(plc.port)
    await driver.write(pointRow(1, 5, { RegisterType: 0, ParaDataType: 0, ReadWriteType: 1 }), 1)
    expect(plc.bits[5]).toBe(1)
    await driver.write(pointRow(1, 6, { ParaDataType: 31 }), -2)
    expect(plc.words[6]).toBe(0xfeff)
    await driver.write(pointRow(1, 8, { ParaDataType: 8 }), 12.5)
    expect([plc.words[8], plc.words[9]]).toEqual([0, 0x4148])
    plc.words[20] = 0xffff
    await driver.write(pointRow(1, '20.4', { ParaDataType: 0 }), 0)
    expect(plc.words[20]).toBe(0xffef)
    const scale = { SampleLow: 0, SampleHigh: 1000, ProjectLow: 0, ProjectHigh: 100 }
    await driver.write(pointRow(1, 30, scale), 12.34)
    expect(plc.words[30]).toBe(123)
    await expect(driver.write(pointRow(1, 30, scale), 7000)).rejects.toThrow(RangeError)
    expect(plc.words[30]).toBe(123)
  })

  test('a refused address is distinguished from other refusals', async () => {
    const plc = opens(await startPlc())
    plc.missing.add(50)
    const driver = await driverOn(plc.port)
    await expect(readAll(driver, [pointRow(1, 50)])).rejects.toMatchObject({ kind: 'address' })
  })
})

/** One holding register with this value, as an answer to the request, with optional errors. */
const answer = (request: Buffer, value: number, { id = request.readUInt16BE(0), unit = request[6]!, fn = 3, bytes = 2 } = {}) =>
  mbap.wrap(unit, Buffer.concat([Buffer.of(fn, bytes), Buffer.of(value >> 8, value & 255)]), id)
const one = [pointRow(1, 0, { Timeout: 60 })]

describe('answers that are none', () => {
  test('a late answer is never taken for that of the next request', async () => {
    let count = 0
    const raw = opens(
      await startRaw((request, socket) => {
        // The first answer comes after the second request, just before the second answer.
        if (++count === 1) first = request
        else {
          socket.write(answer(first!, 111))
          socket.write(answer(request, 222))
        }
      }),
    )
    let first: Buffer | undefined
    const driver = await driverOn(raw.port)
    await expect(readAll(driver, one)).rejects.toMatchObject({ kind: 'silent' })
    expect(await readAll(driver, one)).toEqual([[222, 0]])
  })

  test('a foreign transaction is not taken', async () => {
    const raw = opens(await startRaw((request, socket) => socket.write(answer(request, 111, { id: request.readUInt16BE(0) + 7 }))))
    await expect(readAll(await driverOn(raw.port), one)).rejects.toMatchObject({ kind: 'silent' })
  })

  test.each([
    ['another unit', { unit: 9 }],
    ['another function', { fn: 4 }],
    ['a byte count that does not match', { bytes: 4 }],
  ])('%s is garbled, and the connection is given up', async (_, change) => {
    const raw = opens(await startRaw((request, socket) => socket.write(answer(request, 111, change))))
    const driver = await driverOn(raw.port)
    await expect(readAll(driver, one)).rejects.toMatchObject({ kind: 'garbled' })
    expect(driver.connected).toBe(false)
  })

  test('bytes that are no Modbus are garbled', async () => {
    const raw = opens(await startRaw((_, socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')))
    await expect(readAll(await driverOn(raw.port), one)).rejects.toMatchObject({ kind: 'garbled' })
  })

  test('an answer in pieces is put together', async () => {
    const raw = opens(
      await startRaw((request, socket) => {
        const bytes = answer(request, 258)
        socket.write(bytes.subarray(0, 5))
        setTimeout(() => socket.write(bytes.subarray(5)), 5)
      }),
    )
    expect(await readAll(await driverOn(raw.port), one)).toEqual([[258, 0]])
  })

  test('NaN is a value that is not there', async () => {
    const raw = opens(
      await startRaw((request, socket) => socket.write(mbap.wrap(1, Buffer.from([3, 4, 0x7f, 0xc0, 0, 0]), request.readUInt16BE(0)))),
    )
    expect(await readAll(await driverOn(raw.port), [pointRow(1, 0, { ParaDataType: 7 })])).toEqual([[null, 3]])
  })
})

describe('RTU over TCP', () => {
  const rtuAnswer = (value: number) => rtu.wrap(1, Buffer.of(3, 2, value >> 8, value & 255), 0)

  test('has the checksum of the specification', () => {
    // Modbus over Serial Line V1.02, 6.2.2: 02 07 has the CRC 41 12, low byte first.
    expect(crc16(Buffer.from([2, 7])).toString(16)).toBe('1241')
  })

  test('reads what the unit answers', async () => {
    const asked: string[] = []
    const raw = opens(
      await startRaw((request, socket) => {
        asked.push(request.toString('hex'))
        socket.write(rtuAnswer(1234))
      }),
    )
    expect(await readAll(await driverOn(raw.port, 1), one)).toEqual([[1234, 0]])
    expect(asked).toEqual(['010300000001840a'])
  })

  test('a wrong checksum is garbled', async () => {
    const raw = opens(
      await startRaw((_, socket) => {
        const bytes = Buffer.from(rtuAnswer(1234))
        bytes[4]! ^= 1
        socket.write(bytes)
      }),
    )
    await expect(readAll(await driverOn(raw.port, 1), one)).rejects.toMatchObject({ kind: 'garbled' })
  })

  test('a timeout ends the connection, since a late answer could be mistaken for the next one', async () => {
    const raw = opens(await startRaw((_, socket) => void setTimeout(() => socket.write(rtuAnswer(111)), 90)))
    const driver = await driverOn(raw.port, 1)
    await expect(readAll(driver, one)).rejects.toMatchObject({ kind: 'silent' })
    expect(driver.connected).toBe(false)
  })
})

describe('ASCII over TCP', () => {
  test('has the form and the checksum of the specification', () => {
    // Read ten registers from 0 of unit 1: the sum of 01 03 00 00 00 0A is 0E, and F2 its two's complement.
    expect(ascii.wrap(1, Buffer.of(3, 0, 0, 0, 10), 0).toString()).toBe(':01030000000AF2\r\n')
  })

  test('a line is a frame, none yet, or garbage', () => {
    const line = Buffer.from(':01030204D224\r\n')
    expect(ascii.take(line)).toMatchObject({ unit: 1, length: line.length, pdu: Buffer.of(3, 2, 4, 0xd2) })
    expect(ascii.take(line.subarray(0, -1))).toBeUndefined()
    for (const wrong of [':01030204D225\r\n', ':0103\r\n', '01030204D224\r\n', ':01030204d224\r\n', ':0103020\r\n'])
      expect(() => ascii.take(Buffer.from(wrong))).toThrow()
    expect(() => ascii.take(Buffer.alloc(600, ':'))).toThrow()
  })
})
