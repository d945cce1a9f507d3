// SNMP v1, v2c and v3 (RFC 1157, 3416, 3414).
import { choice, text } from '../field.ts'
import { misread, type Parsed, protocol } from './protocol.ts'

const largest = 0xffffffff
/** A numeric OID without a dot in front. */
const parse = (given: string): Parsed<string> | { at: number } => {
  const oid = given.replace(/^\./, '')
  const before = given.length - oid.length
  if (!/^[0-2](\.(0|[1-9]\d{0,9})){1,127}$/.test(oid)) return { at: before + misread(oid, /^[0-2]?((?<=\d)\.(0|[1-9]\d{0,9})?(?!\d))*/).at }
  const parts = oid.split('.')
  const wrong = parts.findIndex((part) => Number(part) > largest)
  if (wrong >= 0) return { at: before + parts.slice(0, wrong).join('.').length + 1 }
  return { address: oid, key: oid }
}

const secret = { ...text({ max: 100 }), secret: true as const }
const older = { when: ['Version', ['1', '2c']] } as const
const newer = { when: ['Version', ['3']] } as const

export const snmp = protocol({
  ...{ number: 100, name: 'snmp', browses: true as const, polls: true, listens: false, port: 161 },
  targets: { dials: 'snmp' },
  channel: {
    Version: choice(['1', '2c', '3'], { required: true, default: '2c' }),
    Community: { ...secret, ...older },
    WriteCommunity: { ...secret, ...older },
    User: { ...text({ max: 32 }), ...newer },
    AuthProtocol: { ...choice(['none', 'md5', 'sha', 'sha224', 'sha256', 'sha384', 'sha512'], { default: 'none' }), ...newer },
    AuthPassword: { ...secret, ...newer },
    PrivProtocol: { ...choice(['none', 'des', 'aes', 'aes256b', 'aes256r'], { default: 'none' }), ...newer },
    PrivPassword: { ...secret, ...newer },
  },
  binds: ['Version', 'User', 'AuthProtocol', 'PrivProtocol'],
  isShared: true,
  example: '1.3.6.1.2.1.1.3.0',
  parse,
  unused: ['RegisterType', 'SlaveNumber', 'ParaDataType'],
})
