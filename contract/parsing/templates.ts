import { checksum } from './checksum.ts'
import type { Mapping } from './mapping.ts'

/** A ready parse: a mapping of JSON, or a script that reads text. Words at `parseTemplate.<Name>`. */
export type ParseTemplate = { Name: string; Sample: unknown; Topic?: string } & ({ Mapping: Mapping } | { Script: string })

/** A frame of HJ 212 with this text. */
const hj212Frame = (text: string) => {
  const crc = checksum('crc16Hj212', new TextEncoder().encode(text)).toString(16).toUpperCase().padStart(4, '0')
  return `##${String(text.length).padStart(4, '0')}${text}${crc}\r\n`
}
const hj212Script = String.raw`// A frame of HJ 212 that came over MQTT or HTTP. Each value is a point: w01018-Rtd, w01018-Avg.hour.
// DataTime is on clocks so many hours before UTC.
const zoneHours = 8
const spans = { 2011: '', 2051: '.minute', 2061: '.hour', 2031: '.day' }
const others = ['Flag', 'SampleTime', 'EFlag', 'Info']

function parse(topic, payload) {
  const [, text, sum] = /^##\d{4}([\s\S]*)([0-9A-Fa-f]{4})\s*$/.exec(payload) ?? []
  if (text === undefined) throw new Error('no frame')
  if (crc.crc16Hj212(Uint8Array.from(text, (c) => c.charCodeAt(0))) !== parseInt(sum, 16)) throw new Error('checksum')
  const field = (name) => new RegExp('(?:^|;)' + name + '=([^;]*)').exec(text)?.[1]
  const span = spans[field('CN')]
  if (span === undefined) return null
  const items = text.slice(text.indexOf('CP=&&') + 5).replace(/&&$/, '').split(/[;,]/).map((item) => item.split('='))
  const is = Object.fromEntries(items)
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(is.DataTime) ?? []
  if (year === undefined) throw new Error('DataTime')
  const [V, Q] = [{}, {}]
  for (const [name, value] of items) {
    const [code, kind] = name.split('-')
    if (kind === undefined || others.includes(kind)) continue
    V[name + span] = Number(value)
    // N measured, S entered by hand; all else is doubtful.
    if (!['N', 'S'].includes(is[code + '-Flag'] ?? 'N')) Q[name + span] = 1
  }
  return { Items: [{ Device: field('MN'), T: Date.UTC(year, month - 1, day, hour - zoneHours, minute, second), V, Q }] }
}
`

const byName = { From: 'name' } as const
/** Payloads that many devices send. */
export const parseTemplates: readonly ParseTemplate[] = [
  { Name: 'flat', Sample: { temperature: 21.5, humidity: 48, door: true }, Mapping: [{ Value: '*', Key: byName }] },
  {
    Name: 'valuesWithTime',
    Sample: { ts: 1763596800000, values: { temperature: 21.5, humidity: 48 } },
    Mapping: [{ Value: 'values.*', Key: byName, Time: 'ts', TimeUnit: 'ms' }],
  },
  {
    Name: 'readingList',
    Sample: {
      readings: [
        { device: 'Pump 1', name: 'pressure', value: 4.2, time: '2025-11-20T00:00:00Z' },
        { device: 'Pump 2', name: 'pressure', value: 3.9, time: '2025-11-20T00:00:00Z' },
      ],
    },
    Mapping: [
      {
        Value: 'readings[*].value',
        Key: { From: 'path', Is: 'readings[*].name' },
        Device: { From: 'path', Is: 'readings[*].device' },
        Time: 'readings[*].time',
        TimeUnit: 'text',
      },
    ],
  },
  {
    Name: 'byDevice',
    Sample: { 'Pump 1': { pressure: 4.2, running: true }, 'Pump 2': { pressure: 3.9, running: false } },
    Mapping: [{ Value: '*.*', Key: byName, Device: byName }],
  },
  {
    Name: 'thingsBoardGateway',
    Sample: { 'Pump 1': [{ ts: 1763596800000, values: { pressure: 4.2 } }], 'Pump 2': [{ ts: 1763596800000, values: { pressure: 3.9 } }] },
    Mapping: [{ Value: '*[*].values.*', Key: byName, Device: byName, Time: '*[*].ts', TimeUnit: 'ms' }],
  },
  {
    Name: 'jetLinks',
    Topic: 'productId/deviceId/properties/report',
    Sample: { messageId: '1', timestamp: 1763596800000, properties: { temperature: 21.5, humidity: 48 } },
    Mapping: [{ Value: 'properties.*', Key: byName, Device: { From: 'topic', Is: '2' }, Time: 'timestamp', TimeUnit: 'ms' }],
  },
  {
    Name: 'deviceInTopic',
    Topic: 'plant/line-1/telemetry',
    Sample: { temperature: 21.5, humidity: 48 },
    Mapping: [{ Value: '*', Key: byName, Device: { From: 'topic', Is: '2' } }],
  },
  {
    Name: 'hj212',
    Sample: hj212Frame(
      'QN=20251120080000000;ST=32;CN=2011;PW=123456;MN=010000A8900016F000169DC0;Flag=5;CP=&&DataTime=20251120080000;w01018-Rtd=21.5,w01018-Flag=N;w01001-Rtd=7.1,w01001-Flag=D&&',
    ),
    Script: hj212Script,
  },
]
