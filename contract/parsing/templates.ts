import type { Mapping } from './mapping.ts'

/** A ready parse. Words at `parseTemplate.<Name>`. */
export type ParseTemplate = { Name: string; Sample: unknown; Topic?: string; Mapping: Mapping }

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
]
