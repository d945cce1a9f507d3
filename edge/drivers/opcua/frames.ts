// Describes a chunk of OPC UA for a trace: Part 6, 6.7 and 7.1; service numbers are those of their binary encodings.
import { masked } from '../secrets.ts'

const kinds: Readonly<Record<string, string>> = {
  HEL: 'hello',
  ACK: 'acknowledge',
  ERR: 'error',
  OPN: 'open secure channel',
  CLO: 'close secure channel',
  MSG: 'message',
}
const services: Readonly<Record<number, string>> = {
  397: 'service fault',
  428: 'get endpoints',
  431: 'endpoints',
  461: 'create session',
  464: 'session created',
  467: 'activate session',
  470: 'session activated',
  473: 'close session',
  476: 'session closed',
  527: 'browse',
  530: 'browse answer',
  533: 'browse next',
  536: 'browse next answer',
  554: 'translate paths',
  557: 'translate paths answer',
  631: 'read',
  634: 'read answer',
  673: 'write',
  676: 'write answer',
  751: 'create monitored items',
  754: 'monitored items created',
  787: 'create subscription',
  790: 'subscription created',
  826: 'publish',
  829: 'publish answer',
}
/** Offsets in a message: 12 bytes, the token id, and the sequence and request numbers. */
const [bodyAt, requestAt] = [24, 20]

export const readable = (bytes: Buffer, isEncrypted: boolean, secrets: readonly string[]): { bytes: Buffer; meaning: string } => {
  const kind = bytes.toString('latin1', 0, 3)
  const meaning = kinds[kind] ?? `${bytes.length} bytes that are no message of OPC UA`
  const shown = masked(bytes, secrets)
  if (kind !== 'MSG' || bytes.length < bodyAt + 4) return { bytes: shown, meaning }
  if (isEncrypted) return { bytes: shown, meaning: 'encrypted message' }
  // A numeric node of namespace 0, encoded in four bytes.
  const service = bytes[bodyAt] === 1 && bytes[bodyAt + 1] === 0 ? bytes.readUInt16LE(bodyAt + 2) : 0
  return { bytes: shown, meaning: `${services[service] ?? (service ? `service ${service}` : meaning)} ${bytes.readUInt32LE(requestAt)}` }
}
