// IEC 60870-5-104: an information object by its address of 24 bits.
import { choice, number } from '../field.ts'
import { type Parsed, protocol } from './protocol.ts'

const last = 0xffffff
const parse = (text: string): Parsed<number> | { at: number } => {
  const digits = /^\d*/.exec(text)![0]
  if (!digits || digits.length < text.length) return { at: digits.length }
  return Number(digits) > last ? { at: digits.length - 1 } : { address: Number(digits), key: String(Number(digits)) }
}

export const iec104 = protocol({
  ...{ number: 50, name: 'iec104', polls: false, listens: true, port: 2404, targets: { dials: 'iec104' } },
  channel: {
    /** k and w: most unacknowledged frames sent, and frames received before acknowledging (usually two thirds of the station's k). */
    K: number({ integer: true, min: 1, max: 32_767, default: 12 }),
    W: number({ integer: true, min: 1, max: 32_767, default: 8 }),
    /** Timeouts: of the connection, of an acknowledgement, before we acknowledge, and of silence before a test. */
    T0: number({ integer: true, min: 1, max: 255, unit: 's', default: 30 }),
    T1: number({ integer: true, min: 1, max: 255, unit: 's', default: 15 }),
    T2: number({ integer: true, min: 1, max: 255, unit: 's', default: 10 }),
    T3: number({ integer: true, min: 1, max: 3600, unit: 's', default: 20 }),
    Originator: number({ integer: true, min: 0, max: 255, default: 0 }),
    /** Between two interrogations after the first; 0 for none. */
    InterrogationMinutes: number({ integer: true, min: 0, max: 1440, unit: 'min', default: 15 }),
    /** The same of counters; 0 for never. */
    CounterMinutes: number({ integer: true, min: 0, max: 1440, unit: 'min', default: 15 }),
    StationTime: choice(['utc', 'local'], { default: 'utc' }),
  },
  device: { CommonAddress: number({ required: true, integer: true, min: 1, max: 65_534, default: 1 }) },
  example: '16385',
  parse,
  // Read only, so far.
  judge: (p) => (p.ReadWriteType === 0 ? [] : [['ReadWriteType', 'protocolReadOnly']]),
  unused: ['RegisterType', 'SlaveNumber', 'ParaDataType'],
})
