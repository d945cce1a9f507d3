// A web service that answers with JSON, or with a number.
import { choice, long, text } from '../field.ts'
import { type Path, writePath } from '../parsing/path.ts'
import { timeFields, unusedByMessages, valuePath } from './message-path.ts'
import { type Misread, type Parsed, protocol } from './protocol.ts'

const parse = (text: string): Parsed<Path> | Misread => {
  const path = valuePath(text)
  return 'at' in path ? path : { address: path.steps, key: writePath(path.steps) }
}

const secret = { secret: true as const }
const mostHeaders = 20
/** `Name: value`, one a line; undefined for a text that is none. Names that say how the message ends are ours. */
export const readHeaders = (text: string): [name: string, value: string][] | undefined => {
  const lines = text.split(/\r?\n/).filter((line) => line.trim())
  const headers = lines.map((line) => /^([\w!#$%&'*+.^`|~-]{1,100}): *([\x20-\x7e]{0,1000})$/.exec(line.trim()))
  const reserved = /^(host|content-length|transfer-encoding|connection|upgrade|te|trailer|expect)$/i
  if (headers.length > mostHeaders || !headers.every((header) => header && !reserved.test(header[1]!))) return undefined
  return headers.map((header) => [header![1]!, header![2]!])
}

export const httpSource = protocol({
  ...{ number: 110, name: 'http-source', polls: true, listens: false, isShared: true, targets: { dials: 'http-source' } },
  url: 'https://10.1.7.60/values',
  channel: {
    Url: text({ required: true, max: 1000, pattern: '^https?://[^/\\s@?#]+([/?]\\S*)?$' }),
    Method: choice(['GET', 'POST'], { required: true, default: 'GET' }),
    /** Of a POST. */
    Body: { ...long({ max: 4000 }), when: ['Method', ['POST']] },
    Headers: long({ max: 2000 }),
    HttpSignIn: choice(['none', 'basic', 'bearer', 'header'], { required: true, default: 'none' }),
    User: { ...text({ max: 200 }), when: ['HttpSignIn', ['basic']] },
    UserPassword: { ...text({ max: 200 }), ...secret, when: ['HttpSignIn', ['basic']] },
    /** The name of the header that carries the token. */
    TokenHeader: { ...text({ max: 100, pattern: "^[\\w!#$%&'*+.^`|~-]+$" }), when: ['HttpSignIn', ['header']] },
    Token: { ...text({ max: 2000 }), ...secret, when: ['HttpSignIn', ['bearer', 'header']] },
    CaCertificate: long({ max: 4000 }),
    ...timeFields,
  },
  together: ({ Headers = '' }) => (readHeaders(String(Headers)) ? [] : [{ name: 'Headers', rule: 'pattern' }]),
  /** What of the service is this device, appended to the address of the channel. */
  device: { Path: text({ max: 500, pattern: '^[/?][^\\s#]*$' }) },
  binds: ['Url', 'HttpSignIn', 'User', 'TokenHeader'],
  example: 'sensors[0].value',
  parse,
  unused: unusedByMessages,
  judge: ({ ReadWriteType }) => (ReadWriteType === 0 ? [] : [['ReadWriteType', 'protocolReadOnly']]),
})
