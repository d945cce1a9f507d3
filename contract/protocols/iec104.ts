// IEC 60870-5-104: an information object by its address of 24 bits.
import { number } from '../field.ts'
import { type Parsed, protocol } from './protocol.ts'

const last = 0xffffff
const parse = (text: string): Parsed<number> | { at: number } => {
  const digits = /^\d*/.exec(text)![0]
  if (!digits || digits.length < text.length) return { at: digits.length }
  return Number(digits) > last ? { at: digits.length - 1 } : { address: Number(digits), key: String(Number(digits)) }
}

export const iec104 = protocol({
  ...{ number: 50, name: 'iec104', polls: false, listens: true, port: 2404, targets: { dials: 'iec104' } },
  device: { CommonAddress: number({ required: true, integer: true, min: 1, max: 65_534, default: 1 }) },
  example: '16385',
  parse,
  // Read only, so far.
  judge: (p) => (p.ReadWriteType === 0 ? [] : [['ReadWriteType', 'protocolReadOnly']]),
  unused: ['RegisterType', 'SlaveNumber', 'ParaDataType'],
})
