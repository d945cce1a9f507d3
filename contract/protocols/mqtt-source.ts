// A foreign broker of MQTT 3.1.1 or 5: values come in messages.
import { choice, long, number, text } from '../field.ts'
import type { Path } from '../parsing/path.ts'
import { timeFields, unusedByMessages, valuePath } from './message-path.ts'
import { type Misread, type Parsed, protocol } from './protocol.ts'

/** Without a path, the whole message is the value. */
export type TopicAddress = { topic: string; path: Path | undefined }
const parse = (text: string): Parsed<TopicAddress> | Misread => {
  const end = text.indexOf('#')
  const topic = end < 0 ? text : text.slice(0, end)
  // A topic with wildcards would be many values.
  const wild = topic.indexOf('+')
  if (!topic || wild >= 0) return { at: Math.max(0, wild) }
  if (end < 0) return { address: { topic, path: undefined }, key: text }
  const path = valuePath(text.slice(end + 1))
  return 'at' in path ? { at: end + 1 + path.at } : { address: { topic, path: path.steps }, key: text }
}

const secret = { secret: true as const }

export const mqttSource = protocol({
  ...{ number: 80, name: 'mqtt-source', polls: false, listens: true, isShared: true, targets: { dials: 'mqtt-source' } },
  url: 'mqtts://broker:8883',
  channel: {
    Url: text({ required: true, max: 200, pattern: '^mqtts?://[^/\\s@?#]+/?$' }),
    MqttVersion: choice(['3.1.1', '5'], { required: true, default: '3.1.1' }),
    /** Made up where it is missing. Another client with the same one ends this connection. */
    ClientId: text({ max: 64 }),
    User: text({ max: 200 }),
    UserPassword: { ...text({ max: 200 }), ...secret },
    /** PEM; without it, the authorities that this machine trusts. */
    CaCertificate: long({ max: 4000 }),
    UserCertificate: long({ max: 4000 }),
    UserKey: { ...text({ max: 4000 }), ...secret },
    ...timeFields,
    /** After so long without a message of its topic, a value is not known any more. 0: never. */
    SilentAfter: number({ min: 0, max: 604_800, unit: 's', default: 600 }),
  },
  binds: ['Url', 'User'],
  example: 'plant/pump1#values[0].speed',
  parse,
  unused: unusedByMessages,
  judge: ({ ReadWriteType }) => (ReadWriteType === 0 ? [] : [['ReadWriteType', 'protocolReadOnly']]),
})
