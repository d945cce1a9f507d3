// OPC UA: a node, perhaps one element of its array.
import { choice, long, text } from '../field.ts'
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

const secret = { secret: true as const }

export const opcua = protocol({
  ...{ number: 60, name: 'opcua', browses: true as const, polls: true, listens: true, targets: { dials: 'opcua' } },
  url: 'opc.tcp://10.1.7.50:4840',
  channel: {
    Url: text({ required: true, max: 200, pattern: '^opc\\.tcp://[^/\\s@]+(/\\S*)?$' }),
    SecurityMode: choice(['None', 'Sign', 'SignAndEncrypt'], { required: true, default: 'SignAndEncrypt' }),
    /** Where messages are signed. Older policies are broken. */
    SecurityPolicy: {
      ...choice(['Basic256Sha256', 'Aes128_Sha256_RsaOaep', 'Aes256_Sha256_RsaPss'], { default: 'Basic256Sha256' }),
      when: ['SecurityMode', ['Sign', 'SignAndEncrypt']],
    },
    SignIn: choice(['anonymous', 'user', 'certificate'], { required: true, default: 'anonymous' }),
    User: { ...text({ max: 100 }), when: ['SignIn', ['user']] },
    UserPassword: { ...text({ max: 200 }), ...secret, when: ['SignIn', ['user']] },
    /** PEM, of a person or of this gateway, and its key. */
    UserCertificate: { ...long({ max: 4000 }), when: ['SignIn', ['certificate']] },
    UserKey: { ...text({ max: 4000 }), ...secret, when: ['SignIn', ['certificate']] },
  },
  binds: ['Url', 'SecurityMode', 'SecurityPolicy', 'SignIn', 'User'],
  isShared: true,
  example: 'nsu=urn:plant;s=Pump1.Speed',
  parse,
  unused: ['RegisterType', 'SlaveNumber', 'ParaDataType'],
})
