// OPC UA: a node, perhaps one element of its array.
import { misread, type Parsed, protocol } from './protocol.ts'

export type NodeAddress = { node: string; index: number | undefined }
/** `nsu=<uri>;s=name`, `ns=2;i=7`, `i=2258`; the text of `s=` may hold anything. An index at the end is one of an array. */
const parse = (text: string): Parsed<NodeAddress> | { at: number } => {
  const [, node, index] =
    /^((?:nsu=[^;]+;|ns=\d{1,5};)?(?:s=.+?|i=\d{1,10}|g=[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|b=[\w+/]+=*))(?:\[(\d{1,9})\])?$/.exec(
      text,
    ) ?? []
  if (node === undefined) return misread(text, /^(nsu=[^;]*;?|ns=\d{0,5};?)?([sigb](=([\w+/-]*)?)?)?/)
  return { address: { node, index: index === undefined ? undefined : Number(index) }, key: text }
}

export const opcua = protocol({
  ...{ number: 60, name: 'opcua', polls: true, listens: true, targets: { dials: 'opcua' } },
  isShared: true,
  example: 'nsu=urn:plant;s=Pump1.Speed',
  parse,
  unused: ['RegisterType', 'SlaveNumber', 'ParaDataType'],
})
