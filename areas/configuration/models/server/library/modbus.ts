// The simulated water works, and inverters of the SunSpec Device Information Model Specification: models 1, 103 and 113.
import { demoPlant } from '../../../../../contract/demo-plant.ts'
import { counter, type LibraryModel, type LibraryPoint, state, type, whole } from './sketch.ts'

const ofDemo = (name: string, codes: Readonly<Record<string, string>>): LibraryPoint[] =>
  demoPlant
    .find(({ DeviceName }) => DeviceName === name)!
    .Points.map(({ ZeroText: _, OneText: __, ParaUnitName, ...point }) => ({
      ...point,
      ParaUnitName: ParaUnitName || null,
      SlaveNumber: '{unit}',
      Code: codes[point.ParaName.replace(/^Pump \d/, 'Pump')],
    }))

const register = (
  ParaKey: string,
  ParaName: string,
  Address: string,
  ParaDataType: LibraryPoint['ParaDataType'],
  more: Partial<LibraryPoint>,
) => ({
  ...{ ParaKey, ParaName, Address, ParaDataType, RegisterType: 4 as const, SlaveNumber: '{unit}' },
  ...more,
})

const parameters = 'base=40000 First register of the map (40000, 50000 or 0);common=66 Length of model 1 (65 or 66)'
/** Both blocks start with their number and length. `SunS` takes the first two registers. */
const inCommon = (offset: number) => `{base+${2 + offset}}`
const inInverter = (offset: number) => `{base+common+${4 + offset}}`

const common = [
  register('CommonId', 'Common model', inCommon(0), type.uint16, state),
  register('DA', 'Device address', inCommon(66), type.uint16, state),
  register('InverterId', 'Inverter model', inInverter(0), type.uint16, state),
]

/** Name of the point, offset, ParaName, unit, and the register of its scale factor. */
type Scaled = [key: string, offset: number, name: string, unit: string, factor: string, kind?: LibraryPoint['ParaDataType'], code?: string]
const scaled: Scaled[] = [
  ['A', 2, 'AC current', 'A', 'A_SF'],
  ['AphA', 3, 'Phase A current', 'A', 'A_SF', type.uint16, 'current.l1'],
  ['AphB', 4, 'Phase B current', 'A', 'A_SF', type.uint16, 'current.l2'],
  ['AphC', 5, 'Phase C current', 'A', 'A_SF', type.uint16, 'current.l3'],
  ['PPVphAB', 7, 'Voltage AB', 'V', 'V_SF', type.uint16, 'voltage.l12'],
  ['PPVphBC', 8, 'Voltage BC', 'V', 'V_SF', type.uint16, 'voltage.l23'],
  ['PPVphCA', 9, 'Voltage CA', 'V', 'V_SF', type.uint16, 'voltage.l31'],
  ['PhVphA', 10, 'Voltage AN', 'V', 'V_SF', type.uint16, 'voltage.l1'],
  ['PhVphB', 11, 'Voltage BN', 'V', 'V_SF', type.uint16, 'voltage.l2'],
  ['PhVphC', 12, 'Voltage CN', 'V', 'V_SF', type.uint16, 'voltage.l3'],
  ['W', 14, 'AC power', 'W', 'W_SF', type.int16],
  ['Hz', 16, 'Frequency', 'Hz', 'Hz_SF', type.uint16, 'frequency'],
  ['VA', 18, 'Apparent power', 'VA', 'VA_SF', type.int16],
  ['VAr', 20, 'Reactive power', 'var', 'VAr_SF', type.int16],
  ['PF', 22, 'Power factor', '%', 'PF_SF', type.int16],
  ['WH', 24, 'AC energy', 'Wh', 'WH_SF', type.uint32],
  ['DCA', 27, 'DC current', 'A', 'DCA_SF', type.uint16, 'current.dc'],
  ['DCV', 29, 'DC voltage', 'V', 'DCV_SF', type.uint16, 'voltage.dc'],
  ['DCW', 31, 'DC power', 'W', 'DCW_SF', type.int16],
  ['TmpCab', 33, 'Cabinet temperature', '°C', 'Tmp_SF', type.int16, 'temperature.cabinet'],
  ['TmpSnk', 34, 'Heat sink temperature', '°C', 'Tmp_SF', type.int16],
  ['TmpTrns', 35, 'Transformer temperature', '°C', 'Tmp_SF', type.int16],
  ['TmpOt', 36, 'Other temperature', '°C', 'Tmp_SF', type.int16],
]
const factors: [key: string, offset: number][] = [
  ...([
    ['A_SF', 6],
    ['V_SF', 13],
    ['W_SF', 15],
    ['Hz_SF', 17],
    ['VA_SF', 19],
    ['VAr_SF', 21],
    ['PF_SF', 23],
  ] as [string, number][]),
  ...([
    ['WH_SF', 26],
    ['DCA_SF', 28],
    ['DCV_SF', 30],
    ['DCW_SF', 32],
    ['Tmp_SF', 37],
  ] as [string, number][]),
]
/** Points of model 113: floating-point values in SI units. */
const floats: [key: string, offset: number][] = [
  ...([
    ['A', 2],
    ['AphA', 4],
    ['AphB', 6],
    ['AphC', 8],
    ['PPVphAB', 10],
    ['PPVphBC', 12],
    ['PPVphCA', 14],
  ] as [string, number][]),
  ...([
    ['PhVphA', 16],
    ['PhVphB', 18],
    ['PhVphC', 20],
    ['W', 22],
    ['Hz', 24],
    ['VA', 26],
    ['VAr', 28],
    ['PF', 30],
  ] as [string, number][]),
  ...([
    ['WH', 32],
    ['DCA', 34],
    ['DCV', 36],
    ['DCW', 38],
    ['TmpCab', 40],
    ['TmpSnk', 42],
    ['TmpTrns', 44],
    ['TmpOt', 46],
  ] as [string, number][]),
]
/** The last registers are the same in both models, at different offsets. */
const states = (St: number, Evt1: number) => [
  register('St', 'Operating state', inInverter(St), type.uint16, { ...state, Code: 'state.code' }),
  register('StVnd', 'Operating state of the maker', inInverter(St + 1), type.uint16, state),
  register('Evt1', 'Events', inInverter(Evt1), type.uint32, state),
  register('Evt2', 'Events, reserved', inInverter(Evt1 + 2), type.uint32, state),
  ...[1, 2, 3, 4].map((n) => register(`EvtVnd${n}`, `Events of the maker ${n}`, inInverter(Evt1 + 2 + 2 * n), type.uint32, state)),
]

export const modbusModels: readonly LibraryModel[] = [
  {
    ...{ Key: 'demo-pumps', Protocol: 0, ModelName: 'High service pumps (demo plant)', ModelNo: 'Modbus TCP', Parameters: null },
    Remark: 'Register table of the pump station of the simulated water works.',
    Points: ofDemo('High service pumps', {
      'Pump running': 'state.pump',
      'Pump tripped': 'state.fault',
      'Pump power': 'power.active',
      'Pump speed': 'speed',
      'Pump bearing temperature': 'temperature.bearing',
      'Pump vibration': 'vibration.velocity',
      'Pump hours': 'hours.running',
    }),
  },
  {
    ...{ Key: 'demo-cold-room', Protocol: 0, ModelName: 'Cold room (demo plant)', ModelNo: 'Modbus TCP', Parameters: null },
    Remark: 'Register table of the cold room of the simulated water works.',
    Points: ofDemo('Cold room', {
      'Air temperature': 'temperature.coldroom',
      'Evaporator temperature': 'temperature.evaporator',
      'Condenser temperature': 'temperature.condenser',
      'Compressor hours': 'hours.running',
      'Door open': 'state.door',
      'Compressor running': 'state.compressor',
      'Fan running': 'state.fan',
      Defrosting: 'state.defrost',
      'Temperature set point': 'temperature.setpoint',
    }),
  },
  {
    ...{ Key: 'sunspec-103', Protocol: 0, ModelName: 'SunSpec inverter, three-phase', ModelNo: 'SunSpec 1 + 103', Parameters: parameters },
    Remark: 'Whole numbers. Multiply each value by ten to the power of its scale factor (…_SF), or set the scaling in your copy.',
    Points: [
      ...common,
      ...scaled.map(([key, offset, name, unit, factor, kind = type.uint16]) =>
        register(key, name, inInverter(offset), kind, { ...whole, ...(key === 'WH' && counter), ParaUnitName: `${unit} × 10^${factor}` }),
      ),
      ...factors.map(([key, offset]) => register(key, `Scale factor ${key}`, inInverter(offset), type.int16, { ...state, IsChartShow: 0 })),
      ...states(38, 40),
    ],
  },
  {
    ...{
      Key: 'sunspec-113',
      Protocol: 0,
      ModelName: 'SunSpec inverter, three-phase, float',
      ModelNo: 'SunSpec 1 + 113',
      Parameters: parameters,
    },
    Remark: 'Floating-point numbers, which need no scale factors.',
    Points: [
      ...common,
      ...floats.map(([key, offset]) => {
        const [, , name, unit, , , Code] = scaled.find(([of]) => of === key)!
        return register(key, name, inInverter(offset), type.float, { ...(key === 'WH' && counter), ParaUnitName: unit, Code })
      }),
      ...states(48, 50),
    ],
  },
]
