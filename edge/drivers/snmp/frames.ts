// Describes an SNMP message for a trace: RFC 1157 and 3416 in the encoding of X.690, RFC 3412 for version 3.
import { masked } from '../secrets.ts'

type Part = { tag: number; start: number; end: number }
/** The element at an offset; undefined if the bytes are invalid. */
const partAt = (bytes: Buffer, at: number): Part | undefined => {
  const [tag, first] = [bytes[at], bytes[at + 1]]
  if (tag === undefined || first === undefined) return undefined
  const more = first & 0x80 ? first & 0x7f : 0
  if (more > 4 || at + 2 + more > bytes.length) return undefined
  const length = more ? bytes.readUIntBE(at + 2, more) : first
  const start = at + 2 + more
  return start + length <= bytes.length ? { tag, start, end: start + length } : undefined
}
/** Elements from an offset, up to the first invalid one. */
const partsFrom = (bytes: Buffer, start: number, end: number): Part[] => {
  const parts: Part[] = []
  for (let at = start; at < end; ) {
    const part = partAt(bytes, at)
    if (!part) break
    parts.push(part)
    at = part.end
  }
  return parts
}
const numberIn = (bytes: Buffer, part: Part | undefined) => {
  const length = part ? part.end - part.start : 0
  return part && length >= 1 && length <= 6 ? bytes.readIntBE(part.start, length) : 0
}

const kinds: Readonly<Record<number, string>> = {
  160: 'get',
  161: 'get next',
  162: 'answer',
  163: 'set',
  165: 'get bulk',
  168: 'report',
}
/** error-status of RFC 3416, section 3. */
const errors = [
  ...['no error', 'too big', 'no such name', 'bad value', 'read only', 'general error', 'no access', 'wrong type', 'wrong length'],
  ...['wrong encoding', 'wrong value', 'no creation', 'inconsistent value', 'resource unavailable', 'commit failed', 'undo failed'],
  ...['authorization error', 'not writable', 'inconsistent name'],
]
export const errorName = (status: number) => errors[status] ?? `error ${status}`

const pduMeaning = (bytes: Buffer, pdu: Part) => {
  const [id, status, , list] = partsFrom(bytes, pdu.start, pdu.end)
  const count = list ? partsFrom(bytes, list.start, list.end).length : 0
  const error = pdu.tag === 162 ? numberIn(bytes, status) : 0
  return `${kinds[pdu.tag] ?? `message ${pdu.tag}`} ${numberIn(bytes, id)}: ${error ? errorName(error) : `${count} values`}`
}

/** A message for display, without the community and these texts. */
export const readable = (bytes: Buffer, secrets: readonly string[]): { bytes: Buffer; meaning: string } => {
  const shown = masked(bytes, secrets)
  const whole = partAt(bytes, 0)
  const [version, second, third, fourth] = whole ? partsFrom(bytes, whole.start, whole.end) : []
  if (!version || !second || !third) return { bytes: shown, meaning: `${bytes.length} bytes that are no SNMP message` }
  if (numberIn(bytes, version) !== 3) {
    shown.fill('*', second.start, second.end)
    return { bytes: shown, meaning: pduMeaning(bytes, third) }
  }
  const [, , flags] = partsFrom(bytes, second.start, second.end)
  if (flags && bytes[flags.start]! & 2) return { bytes: shown, meaning: 'encrypted message of SNMPv3' }
  const pdu = fourth && partsFrom(bytes, fourth.start, fourth.end)[2]
  return { bytes: shown, meaning: pdu ? `SNMPv3 ${pduMeaning(bytes, pdu)}` : 'message of SNMPv3' }
}
