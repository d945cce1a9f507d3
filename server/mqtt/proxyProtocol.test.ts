import { once } from 'node:events'
import { connect as connectTls } from 'node:tls'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { certificate } from '../../main/testing/certificate.ts'
import { broker, closed, keys, loginPacket, one, refused, start, two, useBroker, wire } from './harness.ts'
import { proxyHeader } from './proxyProtocol.ts'

useBroker()

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
/** As a balancer writes it (proxy-protocol.txt, 2.2); `extension`: bytes behind the addresses. */
const binary = (address: number[], { command = 1, extension = 0 } = {}) => {
  const body = Buffer.concat([Buffer.from(address), Buffer.from(address), Buffer.alloc(4), Buffer.alloc(extension)])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(body.length)
  return Buffer.concat([signature, Buffer.from([0x20 + command, address.length === 4 ? 0x11 : 0x21]), length, body])
}
const text = (line: string) => Buffer.from(`PROXY ${line}\r\n`)
const six = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9]

test('a header names its address in both versions, whole or in parts, whatever follows', () => {
  const headers: [Buffer, string | undefined][] = [
    [binary([203, 0, 113, 7]), '203.0.113.7'],
    [binary([203, 0, 113, 7], { extension: 40 }), '203.0.113.7'],
    [binary(six), '2001:db8:0:0:0:0:0:9'],
    [binary([203, 0, 113, 7], { command: 0 }), undefined],
    [text('TCP4 203.0.113.7 10.0.0.1 40000 8421'), '203.0.113.7'],
    [text('TCP6 2001:db8::9 ::1 40000 8421'), '2001:db8::9'],
    [text('UNKNOWN'), undefined],
  ]
  const cases = fc.tuple(fc.constantFrom(...headers), fc.uint8Array({ maxLength: 50 }), fc.nat(60))
  fc.assert(
    fc.property(cases, ([[header, address], rest, cut]) => {
      const found = { length: header.length, ...(address === undefined ? {} : { address }) }
      expect(proxyHeader(Buffer.concat([header, rest]))).toEqual(found)
      expect(proxyHeader(header.subarray(0, Math.min(cut, header.length - 1)))).toBe('incomplete')
    }),
  )
})

test('what is no header is refused at once, and no bytes make it wait or fail', () => {
  const wrong = [
    loginPacket(one),
    text('TCP4 2001:db8::9 ::1 1 2'),
    text('TCP4 name 10.0.0.1 1 2'),
    Buffer.concat([signature, Buffer.from([0x11, 0x11, 0, 12]), Buffer.alloc(12)]),
    Buffer.concat([signature, Buffer.from([0x21, 0x11, 0, 2]), Buffer.alloc(2)]),
    Buffer.concat([signature, Buffer.from([0x21, 0x11, 0xff, 0xff])]),
    Buffer.from(`PROXY ${'x'.repeat(200)}`),
  ]
  for (const bytes of wrong) expect(proxyHeader(bytes), bytes.toString('latin1')).toBeUndefined()
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (bytes, isSigned) => {
      const found = proxyHeader(Buffer.concat([isSigned ? signature : Buffer.alloc(0), bytes]))
      if (found && found !== 'incomplete') expect(found.length).toBeLessThanOrEqual(signature.length + bytes.length)
    }),
  )
})

const behindBalancer = { isBalancer: (address: string) => address === '127.0.0.1', proxyProtocol: true }
const wrong = (sn: string) => {
  const right = keys.get(sn)!
  keys.set(sn, 'no such key')
  const packet = loginPacket(sn)
  keys.set(sn, right)
  return packet
}
/** Sends the bytes in one piece. Resolves with the answer to CONNECT (MQTT 3.1.1, 3.2): its return code. */
const answered = async (bytes: Buffer) => {
  const socket = await wire()
  socket.write(bytes)
  const [connack] = (await once(socket, 'data')) as [Buffer]
  return connack[3]
}

test('behind a balancer, wrong keys of one address hold up that address alone', async () => {
  await start({}, undefined, true, behindBalancer)
  const [theirs, ours] = [binary([203, 0, 113, 7]), text('TCP4 203.0.113.8 127.0.0.1 40000 8421')]
  for (let i = 0; i < 20; i++) expect(await answered(Buffer.concat([theirs, wrong(two)]))).not.toBe(0)
  expect(await answered(Buffer.concat([theirs, loginPacket(one)]))).not.toBe(0)
  expect(await answered(Buffer.concat([ours, loginPacket(one)]))).toBe(0)
  expect(refused.map(({ address }) => address)).toContain('203.0.113.7')
})

test('a balancer that sends no header is refused with the reason; a gateway that connects without one is not asked for it', async () => {
  await start({}, undefined, true, behindBalancer)
  const socket = await wire()
  const gone = closed(socket)
  socket.write(loginPacket(one))
  expect(await gone).toBe('closed')
  expect(refused).toEqual([{ reason: 'protocol', address: '127.0.0.1', detail: expect.stringContaining('PROXY protocol') }])

  await start({}, undefined, true, { ...behindBalancer, isBalancer: () => false })
  expect(await answered(loginPacket(one))).toBe(0)
  // Nor can it name an address.
  const other = await wire()
  const cut = closed(other)
  other.write(Buffer.concat([binary([203, 0, 113, 7]), loginPacket(one)]))
  expect(await cut).toBe('closed')
})

test('with a certificate the header comes before TLS', async () => {
  const tls = await certificate()
  await start({}, tls, true, behindBalancer)
  const socket = await wire()
  // Header and the first bytes of TLS in one piece.
  socket.cork()
  socket.write(binary([203, 0, 113, 7]))
  const secured = connectTls({ socket, ca: tls.cert, host: 'localhost' })
  socket.uncork()
  await once(secured, 'secureConnect')
  secured.write(wrong(one))
  await once(secured, 'data')
  await vi.waitFor(() => expect(refused.map(({ address }) => address)).toEqual(['203.0.113.7']))
  secured.destroy()
  await vi.waitFor(() => expect(broker.memory!().unsent).toEqual([]))
})
