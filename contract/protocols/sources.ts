// A foreign broker, a web service, a protocol that people describe, a plugin.
import { misread, type Parsed, protocol } from './protocol.ts'

const part = String.raw`(?:[\w-]+|\[\d{1,6}\])(?:\.[\w-]+|\[\d{1,6}\])*`
const path = new RegExp(`^${part}$`)
const begun = /^([\w-]+|\[\d{1,6}\])?(\.[\w-]+|\[\d{1,6}\])*(\.|\[\d{0,6})?/
const asItIs = (text: string): Parsed<string> => ({ address: text, key: text })

export type TopicAddress = { topic: string; path: string | undefined }
const topicPath = (text: string): Parsed<TopicAddress> | { at: number } => {
  const [topic = '', inside, more] = text.split('#')
  // A topic with wildcards would be many values.
  const wild = topic.search(/[+#]/)
  if (!topic || wild >= 0) return { at: Math.max(0, wild) }
  if (more !== undefined) return { at: topic.length + 1 + inside!.length }
  if (inside !== undefined && !path.test(inside)) return { at: topic.length + 1 + misread(inside, begun).at }
  return { address: { topic, path: inside }, key: text }
}

const source = { polls: true, listens: false, isShared: true as const, unused: ['RegisterType', 'SlaveNumber', 'ParaDataType'] as const }

export const mqttSource = protocol({
  ...source,
  ...{ number: 80, name: 'mqtt-source', polls: false, listens: true, targets: { dials: 'mqtt-source' } },
  example: 'plant/pump1#values[0].speed',
  parse: topicPath,
})
export const httpSource = protocol({
  ...source,
  ...{ number: 110, name: 'http-source', targets: { dials: 'http-source' } },
  example: 'sensors[0].value',
  parse: (text) => (path.test(text) ? asItIs(text) : misread(text, begun)),
})
export const described = protocol({
  ...{ number: 200, name: 'described', polls: true, listens: true, unused: ['RegisterType', 'ParaDataType'] as const },
  targets: { dials: 'described', dialled: 'described-dialled', serial: 'described-serial' },
  example: 'flow',
  parse: (text) => (/^[A-Za-z_]\w{0,49}$/.test(text) ? asItIs(text) : misread(text, /^([A-Za-z_]\w{0,49})?/)),
})
export const plugin = protocol({
  ...{ number: 201, name: 'plugin', polls: true, listens: true, targets: { dials: 'plugin' } },
  example: 'value',
  parse: (text) => (text.trim() ? asItIs(text) : { at: 0 }),
  unused: ['RegisterType'],
})
