import type { Alarms } from '../areas/alarms/alarms/server/runner.ts'
import type { Registry } from '../areas/configuration/gateways/server/registry.ts'
import type { Gateways } from '../areas/configuration/gateways/server/service.ts'
import { snakeCase } from '../contract/text.ts'
import type { Figure } from '../server/http/health.ts'
import type { Limits } from '../server/http/limits.ts'
import type { Hub } from '../server/live/hub.ts'
import type { Counters } from '../server/mqtt/uplink.ts'
import type { Telemetry } from '../server/telemetry/telemetry.ts'

type Sources = {
  telemetry: Telemetry
  hub: Hub
  alarms: Alarms
  gateways: Gateways
  registry: Registry
  limits: Limits
  monthsAhead: () => { table: string; months: number }[]
}

const by = (label: string, counts: Partial<Record<string, number>>) =>
  Object.entries(counts).map(([name, value]) => ({ labels: { [label]: name }, value: value ?? 0 }))

/** Figures of a broker, or of all brokers together. */
export const brokerFigures = (counters: () => Counters): Figure[] => [
  { name: 'gateways_connected', help: 'MQTT connections of gateways', read: () => counters().connected },
  { name: 'mqtt_messages_total', help: 'Messages of gateways, by kind', read: () => by('kind', counters().messages) },
  { name: 'mqtt_refused_total', help: 'What the broker refused or cut, by reason', read: () => by('reason', counters().refused) },
]

/** The metrics of /metrics. Per tenant, readings received = stored + replaced + rejected + live-only, at any moment (findings 8). */
export const figuresOf = ({ telemetry, hub, alarms, gateways, registry, limits, monthsAhead }: Sources): Figure[] => {
  const readings = (outcome: 'received' | 'stored' | 'replaced' | 'rejected' | 'liveOnly', help: string): Figure => ({
    name: `readings_${snakeCase(outcome)}_total`,
    help,
    read: () =>
      [...telemetry.counters].map(([enterprise, counts]) => ({ labels: { enterprise: String(enterprise) }, value: counts[outcome] })),
  })
  return [
    readings('received', 'Readings received since the start'),
    readings('stored', 'Readings stored that had no reading of their point and time before'),
    readings('replaced', 'Readings stored in place of one of the same point and time'),
    readings('rejected', 'Readings refused and kept with their reason'),
    readings('liveOnly', 'Readings of points that are not stored'),
    { name: 'telemetry_disk_bytes', help: 'Bytes that telemetry takes', read: () => telemetry.disk().used },
    { name: 'telemetry_disk_budget_bytes', help: 'Bytes that telemetry may take', read: () => telemetry.disk().budget },
    {
      name: 'telemetry_memory_bytes',
      help: 'Bytes that the embedded store holds in this process, by what they are for',
      read: async () => (await telemetry.memory()).map(({ kind, bytes }) => ({ labels: { kind }, value: bytes })),
    },
    { name: 'ingest_pending_bytes', help: 'Bytes of messages that wait for their commit', read: () => telemetry.ingest.pending() },
    {
      name: 'ingest_waiting_readings',
      help: 'Readings that ingest processes have stored, and that wait for earlier ones before they are judged',
      read: () => telemetry.elsewhere?.waiting() ?? 0,
    },
    {
      name: 'mqtt_waiting_bytes',
      help: 'Bytes of messages of gateways that wait for their commit, and of messages to them that wait to be read',
      read: () => {
        const { inFlight, unsent } = gateways.uplink.memory?.() ?? { inFlight: 0, unsent: [] }
        return [
          { labels: { way: 'up' }, value: inFlight },
          { labels: { way: 'down' }, value: unsent.reduce((sum, bytes) => sum + bytes, 0) },
        ]
      },
    },
    { name: 'hub_connections', help: 'Open connections of consoles', read: () => hub.stats().connections },
    { name: 'hub_pushes_total', help: 'Pushes of values to consoles', read: () => hub.stats().pushes },
    { name: 'hub_cut_total', help: 'Console connections that ended, by reason', read: () => by('reason', hub.stats().cut) },
    { name: 'hub_refused_total', help: 'Calls of consoles refused because too many of one person waited', read: () => hub.stats().refused },
    { name: 'hub_rechecks_total', help: 'Checks of sessions and grants of connected people', read: () => hub.stats().rechecks.done },
    { name: 'hub_rechecks_waiting', help: 'Connected people who wait for such a check', read: () => hub.stats().rechecks.waiting },
    { name: 'http_refused_total', help: 'Calls refused for their number, by whose they were', read: () => by('reason', limits.counts) },
    { name: 'alarms_standing', help: 'Alarms whose condition holds', read: () => alarms.stats().standing },
    { name: 'alarms_raised_total', help: 'Alarms raised since the start', read: () => alarms.stats().raised },
    ...brokerFigures(() => gateways.uplink.counters),
    { name: 'gateways_known', help: 'Gateways in all tenants', read: () => [...registry.gateways()].length },
    {
      name: 'months_ahead',
      help: 'Months that a table that grows has ready before they begin',
      read: () => monthsAhead().map(({ table, months }) => ({ labels: { table }, value: months })),
    },
  ]
}
