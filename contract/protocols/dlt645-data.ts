// Data identifiers of DL/T 645-2007 (appendix A) and DL/T 645-1997 (appendix A), with the format of each.
import { binary, listed, type MeterItem, part, series, signed } from './meter-data.ts'

type Entry = [identifier: string, name: string, bytes: number, decimals: number, unit?: string, more?: Parameters<typeof part>[4]]
const group = (name: string, entries: readonly Entry[], isWritable?: true): MeterItem[] =>
  entries.map(([identifier, ...given]) => ({ identifier, group: name, parts: [part(...given)], ...(isWritable ? { isWritable } : {}) }))
const hex = (n: number) => n.toString(16).toUpperCase().padStart(2, '0')
const tariffs = ['', ', sharp', ', peak', ', flat', ', valley']
const phases = ['', ' A', ' B', ' C']

const energies: [number, string, string, typeof signed?][] = [
  [0x00, 'Active energy, combined', 'kWh', signed],
  [0x01, 'Active energy import', 'kWh'],
  [0x02, 'Active energy export', 'kWh'],
  [0x03, 'Reactive energy 1', 'kvarh', signed],
  [0x04, 'Reactive energy 2', 'kvarh', signed],
  ...[1, 2, 3, 4].map((n): [number, string, string] => [4 + n, `Reactive energy, quadrant ${n}`, 'kvarh']),
  [0x09, 'Apparent energy import', 'kVAh'],
  [0x0a, 'Apparent energy export', 'kVAh'],
]
const ofPhases = ['A', 'B', 'C'].flatMap((phase, i): [number, string][] => [
  [0x15 + i * 0x14, `Active energy import ${phase}`],
  [0x16 + i * 0x14, `Active energy export ${phase}`],
])
const energy = group('Energy', [
  ...energies.flatMap(([kind, name, unit, more]) =>
    tariffs.map((tariff, i): Entry => [`00${hex(kind)}${hex(i)}00`, `${name}${tariff}`, 4, 2, unit, more]),
  ),
  ...ofPhases.map(([kind, name]): Entry => [`00${hex(kind)}0000`, name, 4, 2, 'kWh']),
  ...series('00010001', 12, (n) => `Active energy import, ${n} settlements ago`).map(
    ([identifier, name]): Entry => [identifier, name, 4, 2, 'kWh'],
  ),
])
/** The highest demand, and when it was. */
const demand = [
  [1, 'import', 'kW'],
  [2, 'export', 'kW'],
].map(
  ([kind, name, unit]): MeterItem => ({
    ...{ identifier: `01${hex(Number(kind))}0000`, group: 'Demand' },
    parts: [part(`Highest demand, ${name}`, 3, 4, String(unit)), part(`Time of the highest demand, ${name}`, 5)],
  }),
)
const perPhase = (kind: number, name: string, from: number, ...format: [number, number, string?, typeof signed?]) =>
  phases.slice(from).map((phase, i): Entry => [`02${hex(kind)}${hex(i + from)}00`, `${name}${phase}`, ...format])
const variables = group('Present values', [
  ...perPhase(1, 'Voltage', 1, 2, 1, 'V'),
  ...perPhase(2, 'Current', 1, 3, 3, 'A', signed),
  ...perPhase(3, 'Active power', 0, 3, 4, 'kW', signed),
  ...perPhase(4, 'Reactive power', 0, 3, 4, 'kvar', signed),
  ...perPhase(5, 'Apparent power', 0, 3, 4, 'kVA', signed),
  ...perPhase(6, 'Power factor', 0, 2, 3, undefined, signed),
  ...perPhase(7, 'Phase angle', 1, 2, 1, '°'),
  ...perPhase(8, 'Voltage distortion', 1, 2, 2, '%'),
  ...perPhase(9, 'Current distortion', 1, 2, 2, '%'),
  ['02800001', 'Neutral current', 3, 3, 'A', signed],
  ['02800002', 'Frequency', 2, 2, 'Hz'],
  ['02800003', 'Active power, mean of a minute', 3, 4, 'kW', signed],
  ['02800004', 'Active demand', 3, 4, 'kW', signed],
  ['02800005', 'Reactive demand', 3, 4, 'kvar', signed],
  ['02800006', 'Apparent demand', 3, 4, 'kVA', signed],
  ['02800007', 'Temperature of the meter', 2, 1, '°C', signed],
  ['02800008', 'Clock battery voltage', 2, 2, 'V'],
  ['02800009', 'Reading battery voltage', 2, 2, 'V'],
  ['0280000A', 'Battery working time', 4, 0, 'min'],
])
const events = group('Counts of events', [
  ['03110000', 'Power failures', 3, 0],
  ['03300000', 'Programmings', 3, 0],
  ['03300100', 'Resets of the meter', 3, 0],
  ['03300200', 'Resets of demand', 3, 0],
  ['03300400', 'Clock settings', 3, 0],
  ['03300D00', 'Openings of the cover', 3, 0],
  ['03300E00', 'Openings of the terminal cover', 3, 0],
])
const constants = group('Constants', [
  ['04000401', 'Meter address', 6, 0],
  ['04000402', 'Meter number', 6, 0],
  ['04000409', 'Active constant', 3, 0, 'imp/kWh'],
  ['0400040A', 'Reactive constant', 3, 0, 'imp/kvarh'],
  ...series('04000501', 7, (n) => `Status word ${n}`).map(([identifier, name]): Entry => [identifier, name, 2, 0, undefined, binary]),
])
const parameters = group(
  'Parameters',
  [
    ['04000101', 'Date, YYMMDD and day of the week', 4, 0],
    ['04000102', 'Time, hhmmss', 3, 0],
    ['04000103', 'Demand period', 1, 0, 'min'],
    ['04000104', 'Demand slide', 1, 0, 'min'],
    ['04000105', 'Pulse width', 2, 0, 'ms'],
    ['04000106', 'Switch of time zones, YYMMDDhhmm', 5, 0],
    ['04000107', 'Switch of day tables, YYMMDDhhmm', 5, 0],
    ['04000201', 'Time zones of a year', 1, 0],
    ['04000202', 'Day tables', 1, 0],
    ['04000203', 'Periods of a day', 1, 0],
    ['04000204', 'Tariffs', 1, 0],
    ['04000205', 'Public holidays', 2, 0],
    ['04000601', 'Mode of combined active energy', 1, 0, undefined, binary],
    ['04000602', 'Mode of reactive energy 1', 1, 0, undefined, binary],
    ['04000603', 'Mode of reactive energy 2', 1, 0, undefined, binary],
    ['04000801', 'Days of rest in a week', 1, 0, undefined, binary],
    ['04000802', 'Day table of days of rest', 1, 0],
    ...series('04000B01', 3, (n) => `Settlement day ${n}, DDhh`).map(([identifier, name]): Entry => [identifier, name, 2, 0]),
    ['04001001', 'Warning of credit 1', 4, 2],
    ['04001002', 'Warning of credit 2', 4, 2],
    ...series('04030001', 254, (n) => `Public holiday ${n}, YYMMDD and day table`).map(
      ([identifier, name]): Entry => [identifier, name, 4, 0],
    ),
  ],
  true,
)
export const dlt645Items = listed([...energy, ...demand, ...variables, ...events, ...constants, ...parameters])

const oldEnergies: [string, string, string][] = [
  ['901', 'Active energy import', 'kWh'],
  ['902', 'Active energy export', 'kWh'],
  ['911', 'Reactive energy import', 'kvarh'],
  ['912', 'Reactive energy export', 'kvarh'],
  ['913', 'Reactive energy, quadrant 1', 'kvarh'],
  ['914', 'Reactive energy, quadrant 4', 'kvarh'],
  ['915', 'Reactive energy, quadrant 2', 'kvarh'],
  ['916', 'Reactive energy, quadrant 3', 'kvarh'],
  ['941', 'Active energy import, last month', 'kWh'],
  ['942', 'Active energy export, last month', 'kWh'],
]
const oldPhases = (kind: string, name: string, from: number, ...format: [number, number, string?]) =>
  phases.slice(from).map((phase, i): Entry => [`B6${kind}${i + from}`, `${name}${phase}`, ...format])
export const dlt645OldItems = listed([
  ...group(
    'Energy',
    oldEnergies.flatMap(([kind, name, unit]) => tariffs.map((tariff, i): Entry => [`${kind}${i}`, `${name}${tariff}`, 4, 2, unit])),
  ),
  ...group('Demand', [
    ['A010', 'Highest active demand, import', 3, 4, 'kW'],
    ['A020', 'Highest active demand, export', 3, 4, 'kW'],
    ['B010', 'Time of the highest demand, import, MMDDhhmm', 4, 0],
    ['B020', 'Time of the highest demand, export, MMDDhhmm', 4, 0],
  ]),
  ...group('Present values', [
    ...oldPhases('1', 'Voltage', 1, 2, 0, 'V'),
    ...oldPhases('2', 'Current', 1, 2, 2, 'A'),
    ...oldPhases('3', 'Active power', 0, 3, 4, 'kW'),
    ...oldPhases('4', 'Reactive power', 0, 2, 2, 'kvar'),
    ...oldPhases('5', 'Power factor', 0, 2, 3),
  ]),
  ...group('Counts of events', [
    ['B212', 'Programmings', 2, 0],
    ['B213', 'Resets of demand', 2, 0],
    ['B214', 'Battery working time', 3, 0, 'min'],
    ['B310', 'Phase failures', 2, 0],
  ]),
  ...group('Constants', [
    ['C020', 'Status of the meter', 1, 0, undefined, binary],
    ['C021', 'Status of the grid', 1, 0, undefined, binary],
    ['C030', 'Active constant', 3, 0, 'imp/kWh'],
    ['C031', 'Reactive constant', 3, 0, 'imp/kvarh'],
    ['C032', 'Meter number', 6, 0],
    ['C033', 'Customer number', 6, 0],
  ]),
  ...group(
    'Parameters',
    [
      ['C010', 'Date, YYMMDD and day of the week', 4, 0],
      ['C011', 'Time, hhmmss', 3, 0],
      ['C111', 'Demand period', 1, 0, 'min'],
      ['C112', 'Demand slide', 1, 0, 'min'],
      ['C117', 'Settlement day, DDhh', 2, 0],
      ['C310', 'Time zones of a year', 1, 0],
      ['C311', 'Day tables', 1, 0],
      ['C312', 'Periods of a day', 1, 0],
      ['C313', 'Tariffs', 1, 0],
      ['C314', 'Public holidays', 1, 0],
      ...series('C321', 14, (n) => `Time zone ${n}, MMDD and day table`).map(([identifier, name]): Entry => [identifier, name, 3, 0]),
      ...Array.from({ length: 8 }, (_, table) =>
        series(`C3${(table + 3).toString(16)}1`, 10, (n) => `Day table ${table + 1}, period ${n}, hhmm and tariff`).map(
          ([identifier, name]): Entry => [identifier, name, 3, 0],
        ),
      ).flat(),
      ...series('C411', 13, (n) => `Public holiday ${n}, MMDD and day table`).map(([identifier, name]): Entry => [identifier, name, 3, 0]),
    ],
    true,
  ),
])

/** Format of an identifier's answer. A block (FF, or a trailing F in 1997) repeats the format of its members. */
export const itemOf = (items: ReadonlyMap<string, MeterItem>, identifier: string): (MeterItem & { isBlock?: true }) | undefined => {
  const known = items.get(identifier)
  if (known) return known
  const members =
    identifier.length === 4
      ? [identifier.replace(/F$/, '0'), identifier.replace(/F$/, '1')]
      : ['00', '01'].map((first) => identifier.replace(/FF(?=..$)|FF$/, first))
  const found = members.map((member) => items.get(member)).find((item) => item !== undefined)
  return found && { ...found, identifier, isBlock: true }
}
