// DL/T 645-2007 and CJ/T 188-2004 meters. An address is the data identifier in hexadecimal; for CJ/T 188, with the position of the value.
import { counter, fixed, type LibraryModel, type LibraryPoint, state, type } from './sketch.ts'

type Entry = [address: string, name: string, unit: string | null, more: Partial<LibraryPoint>]
const meter = (entries: readonly Entry[]): LibraryPoint[] =>
  entries.map(([Address, ParaName, ParaUnitName, more]) => ({
    ...{ ParaName, ParaUnitName, Address, ParaKey: `DI_${Address.replace('/', '_')}`, SlaveNumber: '{unit}', ParaDataType: type.uint32 },
    ...more,
  }))
const total = (high: number, steps: number, Code?: string) => ({ ...fixed(0, high, steps), ...counter, Code })
const signed = (high: number, steps: number, Code?: string) => ({ ...fixed(-high, high, steps), ParaDataType: type.int32, Code })
const phases = (of: (phase: string, n: number) => Entry) => ['A', 'B', 'C'].map((phase, i) => of(phase, i + 1))
const [energy, power] = [999_999.99, 79.9999]

const electricity = meter([
  ['00010000', 'Active energy import', 'kWh', total(energy, 100, 'energy.active.import')],
  ...['sharp', 'peak', 'flat', 'valley'].map(
    (tariff, i): Entry => [`00010${i + 1}00`, `Active energy import, ${tariff}`, 'kWh', total(energy, 100, `energy.active.tariff${i + 1}`)],
  ),
  ['00020000', 'Active energy export', 'kWh', total(energy, 100, 'energy.active.export')],
  ['00030000', 'Reactive energy 1', 'kvarh', { ...signed(energy, 100), ...counter }],
  ['00040000', 'Reactive energy 2', 'kvarh', { ...signed(energy, 100), ...counter }],
  ...phases((phase, n) => [`02010${n}00`, `Voltage ${phase}`, 'V', { ...fixed(0, 999.9, 10), Code: `voltage.l${n}` }]),
  ...phases((phase, n) => [`02020${n}00`, `Current ${phase}`, 'A', signed(799.999, 1000, `current.l${n}`)]),
  ['02030000', 'Active power', 'kW', signed(power, 10_000, 'power.active')],
  ...phases((phase, n) => [`02030${n}00`, `Active power ${phase}`, 'kW', signed(power, 10_000, `power.active.l${n}`)]),
  ['02040000', 'Reactive power', 'kvar', signed(power, 10_000, 'power.reactive')],
  ...phases((phase, n) => [`02040${n}00`, `Reactive power ${phase}`, 'kvar', signed(power, 10_000, `power.reactive.l${n}`)]),
  ['02050000', 'Apparent power', 'kVA', signed(power, 10_000, 'power.apparent')],
  ['02060000', 'Power factor', null, signed(1, 1000, 'power.factor')],
  ...phases((phase, n) => [`02060${n}00`, `Power factor ${phase}`, null, signed(1, 1000, `power.factor.l${n}`)]),
  ['02800001', 'Neutral current', 'A', signed(799.999, 1000, 'current.neutral')],
  ['02800002', 'Frequency', 'Hz', { ...fixed(0, 99.99, 100), Code: 'frequency' }],
  ['02800007', 'Temperature of the meter', '°C', signed(799.9, 10)],
  ['02800008', 'Clock battery voltage', 'V', fixed(0, 99.99, 100)],
])

/** A response to DI 901F contains all of these. */
const water = meter([
  ['901F/1', 'Total flow', 'm³', total(energy, 100, 'flow.total')],
  ['901F/2', 'Total flow on the settlement day', 'm³', total(energy, 100)],
  ['901F/4', 'Status', null, { ...state, Code: 'state.code' }],
  ...Array.from(
    { length: 12 },
    (_, i): Entry => [`D12${i.toString(16).toUpperCase()}/1`, `Total flow, ${i + 1} settlements ago`, 'm³', total(energy, 100)],
  ),
])
const heat = meter([
  ['901F/1', 'Heat on the settlement day', 'kWh', total(energy, 100)],
  ['901F/2', 'Heat', 'kWh', total(energy, 100, 'heat.energy')],
  ['901F/3', 'Heat power', 'kW', { ...fixed(0, energy, 100), Code: 'heat.power' }],
  ['901F/4', 'Flow', 'm³/h', { ...fixed(0, 9999.9999, 10_000), Code: 'flow' }],
  ['901F/5', 'Total flow', 'm³', total(energy, 100, 'flow.total')],
  ['901F/6', 'Supply temperature', '°C', { ...fixed(0, 9999.99, 100), Code: 'temperature.supply' }],
  ['901F/7', 'Return temperature', '°C', { ...fixed(0, 9999.99, 100), Code: 'temperature.return' }],
  ['901F/8', 'Running hours', 'h', { ...counter, DecimalDigits: 0, Code: 'hours.running' }],
  ['901F/10', 'Status', null, { ...state, Code: 'state.code' }],
])

const named = (Key: string, Protocol: LibraryModel['Protocol'], ModelName: string, ModelNo: string) => ({
  Key,
  Protocol,
  ModelName,
  ModelNo,
})
export const meterModels: readonly LibraryModel[] = [
  {
    ...named('dlt645-2007', 20, 'Electricity meter, three-phase', 'DL/T 645-2007'),
    ...{ Parameters: null, Points: electricity, Remark: 'Values are the digits of the meter; the scaling sets their decimal point.' },
  },
  {
    ...named('cjt188-water', 30, 'Water meter', 'CJ/T 188-2004'),
    ...{ Parameters: null, Points: water, Remark: 'After the slash: the place of the value in the answer.' },
  },
  {
    ...named('cjt188-heat', 30, 'Heat meter', 'CJ/T 188-2004'),
    ...{
      Parameters: null,
      Points: heat,
      Remark: 'After the slash: the place of the value in the answer. Units are those of codes 05, 17, 35 and 2C.',
    },
  },
]
