// Data identifiers of CJ/T 188 (2004 and 2018, tables of data), with the format of each.
import { binary, listed, type MeterItem, type Part, part, series } from './meter-data.ts'

const united = (name: string, decimals: number, unit: string): Part => ({ ...part(name, 4, decimals, unit), hasUnit: true })
const item = (group: string, identifier: string, parts: readonly Part[], isWritable?: true): MeterItem => ({
  ...{ group, identifier, parts },
  ...(isWritable ? { isWritable } : {}),
})
const clock = part('Time of the meter, YYYYMMDDhhmmss', 7)
const status = part('Status', 2, 0, undefined, binary)

const common = (volume: boolean) => [
  ...series('D120', 12, (n) => `${volume ? 'Total flow' : 'Heat'}, ${n} settlements ago`).map(([identifier, name]) =>
    item('History', identifier, [united(name, 2, volume ? 'm³' : 'kWh')]),
  ),
  item('Parameters', '8103', [part('Settlement day', 1)], true),
  item('Parameters', '8104', [part('Reading day', 1)], true),
  item('Commands', 'A017', [part('Valve, 1 open', 1)], true),
]
/** Meters of water and gas. */
export const volumeItems = listed([
  item('Present values', '901F', [united('Total flow', 2, 'm³'), united('Total flow on the settlement day', 2, 'm³'), clock, status]),
  ...common(true),
])
export const heatItems = listed([
  item('Present values', '901F', [
    united('Heat on the settlement day', 2, 'kWh'),
    united('Heat', 2, 'kWh'),
    united('Heat power', 2, 'kW'),
    united('Flow', 4, 'm³/h'),
    united('Total flow', 2, 'm³'),
    part('Supply temperature', 3, 2, '°C'),
    part('Return temperature', 3, 2, '°C'),
    part('Running hours', 3, 0, 'h'),
    clock,
    status,
  ]),
  ...common(false),
])
/** Electricity by CJ/T 188: energy in place of volume. */
export const powerItems = listed([
  item('Present values', '901F', [united('Energy', 2, 'kWh'), united('Energy on the settlement day', 2, 'kWh'), clock, status]),
  ...common(false),
])

/** What is read under one identifier and written under another. */
export const writtenAs: Readonly<Record<string, string>> = { '8103': 'A011', '8104': 'A012' }
/** It is written and has no value to read. */
export const valve = 'A017'
/** Types of meter by the byte T. */
export const meterTypes = ['10', '11', '12', '13', '20', '21', '30', '40'] as const
export const itemsOfType = (type: string) => (type.startsWith('2') ? heatItems : type === '40' ? powerItems : volumeItems)

/** How many of the unit that a value is told in one of a code is: of energy kWh, of power kW, of volume m³, of flow m³/h. */
const sizes = (first: number, base: number): [number, number][] => [1, 10, 100].map((times, i) => [first + i, base * times])
export const unitFactors: Readonly<Record<string, ReadonlyMap<number, number>>> = {
  kWh: new Map([
    ...sizes(0x02, 0.001),
    ...sizes(0x05, 1),
    ...sizes(0x08, 1000),
    [0x01, 1 / 3.6e6],
    ...sizes(0x0b, 1 / 3600),
    ...sizes(0x0e, 1 / 3.6),
    ...sizes(0x11, 1000 / 3.6),
  ]),
  kW: new Map([...sizes(0x14, 0.001), ...sizes(0x17, 1), ...sizes(0x1a, 1000)]),
  'm³': new Map([...sizes(0x29, 0.001), ...sizes(0x2c, 1)]),
  'm³/h': new Map([...sizes(0x32, 0.001), ...sizes(0x35, 1)]),
}
