import type { Socket } from 'node:net'
import { modbusWords } from '../../testing/modbusWords.ts'
import { pointRow, startRaw } from '../../testing/plc.ts'
import type { Behaviour } from '../../testing/raw.ts'
import { conformance, type Peer } from '../conformance.ts'
import { modbus } from './driver.ts'
import { ascii, type Framing, mbap, rtu } from './frames.ts'

const timeout = 60

/** A Modbus device with words 1 to 100, in any framing. */
const peerOf = (framing: Framing, ProtocolType: number) => async (): Promise<Peer> => {
  const { words, answer: answerOf, refusal } = modbusWords()
  const sockets = new Set<Socket>()
  let how: Behaviour = 'good'
  const answer = (pdu: Buffer) => (how === 'refused' ? refusal(pdu, 4) : answerOf(pdu))
  const raw = await startRaw((request, socket) => {
    if (!sockets.has(socket)) socket.on('close', () => sockets.delete(socket))
    sockets.add(socket)
    const isTcp = framing === mbap
    const bytes = framing === ascii ? Buffer.from(request.toString('latin1', 1, request.length - 2), 'hex') : request
    const [unit, id] = isTcp ? [bytes[6]!, bytes.readUInt16BE(0)] : [bytes[0]!, 0]
    if (unit !== 1 || how === 'silent') return
    const frame = framing.wrap(unit, answer(isTcp ? bytes.subarray(7) : bytes.subarray(1, framing === ascii ? -1 : -2)), id)
    if (how === 'late') return void setTimeout(() => socket.writable && socket.write(frame), timeout * 1.5)
    if (how === 'cut') {
      socket.write(frame.subarray(0, frame.length - 1))
      return socket.end()
    }
    if (how === 'garbled') frame[isTcp ? 2 : frame.length - 3]! ^= 0x55
    socket.write(frame)
  })
  const point = (n: number, change = {}) => pointRow(n, n, { ReadWriteType: 1, CollectPeriod: 20, Timeout: timeout, ...change })
  return {
    channel: { ProtocolType, Ip: '127.0.0.1', Port: raw.port },
    point,
    hung: (n) => point(n, { SlaveNumber: 2, DeviceId: 2 }),
    behave: (next) => {
      how = next
    },
    value: (n) => words.get(n)!,
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
    connections: () => sockets.size,
    close: raw.close,
  }
}

conformance('Modbus TCP', modbus, peerOf(mbap, 0))
conformance('Modbus RTU over TCP', modbus, peerOf(rtu, 1))
conformance('Modbus ASCII over TCP', modbus, peerOf(ascii, 2))
