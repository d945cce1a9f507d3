import type { Shown } from '../../../../console/kernel/api.ts'
import { type Mapping, mappingFaults } from '../../../../contract/parsing/mapping.ts'
import type { DoorMessage } from '../../network-components/contract.ts'
import type { DataParse, dataParse } from '../contract.ts'

export type Parser = Shown<typeof dataParse>
/** The fields of a parser that the test bench edits. */
export type Draft = { Kind: 1 | 2; Input: DataParse['Input']; Mapping: Mapping; Script: string; Sample: string; Topic: string }

/** Initial script. */
export const firstScript = `// Returns the readings of one message. Device may be left out: then it is the sender itself.
function parse(topic, payload, meta) {
  return {
    Items: [{ V: payload }],
  }
}
`
export const draftOf = ({ Kind, Input, Mapping, Script, Sample, Topic }: Parser): Draft => ({
  Kind: Kind === 2 ? 2 : 1,
  Input,
  Mapping: Mapping ?? [{ Value: '*', Key: { From: 'name' } }],
  Script: Script ?? firstScript,
  Sample: Sample ?? '',
  Topic: Topic ?? '',
})
/** Fields for the calls, without those of the other kind. */
export const partsOf = ({ Kind, Input, Mapping, Script }: Draft) => (Kind === 2 ? { Kind, Input, Script } : { Kind, Mapping: [...Mapping] })
const hexOf = (text: string) => Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join(' ')
/** A real message as the parser's sample: in hex for parsers of bytes and for messages that are not text. */
export const sampleOf = ({ Kind, Input }: Draft, { Payload, IsHex, Topic }: Pick<DoorMessage, 'Payload' | 'IsHex' | 'Topic'>) => ({
  Sample: IsHex ? Payload.replace(/..(?=.)/g, '$& ') : Kind === 2 && Input === 3 ? hexOf(Payload) : Payload,
  Topic,
})
export const isSound = ({ Kind, Mapping, Script }: Draft) =>
  Kind === 2 ? Script.trim() !== '' : Mapping.length > 0 && mappingFaults(Mapping).length === 0
