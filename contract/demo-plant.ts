// The point table of the simulated water works: the plant serves it, the server gives it to the demo tenant.
import {
  a,
  bit,
  chart,
  coil,
  count,
  type DemoPoint,
  each,
  f,
  feeder,
  m,
  meter,
  on,
  place,
  type Sketch,
  set,
  states,
} from './demo-points.ts'

/** Where the water works are; their days and nights follow it. */
export const demoZone = 'Europe/Madrid'

/** Each device has its own TCP port: the plant's first one plus PortOffset. */
export type DemoDevice = { DeviceName: string; PortOffset: number; SlaveNumber: number; ProtocolType: 0; Points: DemoPoint[] }

/** The second cold room: twelve mapped probes between 2 and 8 °C. */
export const vaccineRoom = 'Vaccine room'

/** Once a minute, as loggers of cold rooms send. */
const logged = { UploadMode: 0, UploadPeriod: 60 } as const
const mappingEvery = 4
/** Weeks from Monday to Sunday in which nobody forgets the door and the power stays: days counted from 1970. */
export const isQuietWeek = (epochDay: number) => Math.floor((epochDay + 3) / 7) % mappingEvery === 2
/** The last such week that was over at a moment (epoch ms). In it the second cold room was mapped, a reading a minute. */
export const mappingWeekBefore = (at: number): { start: number; end: number } => {
  const day = 86_400_000
  let monday = Math.floor((at / day + 3) / 7) * 7 - 10
  while (!isQuietWeek(monday)) monday -= 7
  return { start: monday * day, end: (monday + 7) * day }
}

const table: [DeviceName: string, SlaveNumber: number, Sketch[]][] = [
  [
    'Raw water intake',
    1,
    [
      m('River level', 7, 'm', 0, 6, { AlarmLow: 1.2 }),
      m('Raw water temperature', 7, '°C', 0, 30, { UploadMode: 3 }),
      m('Raw water turbidity', 7, 'NTU', 0, 80, { ...chart, AlarmHigh: 32 }),
      m('Raw water flow', 7, 'm³/h', 0, 700, { ...chart, CollectPeriod: 500 }),
      count('Raw water total', 33, 'm³'),
      ...each([1, 2], (n) => [
        coil(`Pump ${n} command`, states('Stop', 'Run')),
        on(`Pump ${n} running`, states('Stopped', 'Running')),
        on(`Pump ${n} tripped`, { ...states('OK', 'Tripped'), AlarmHigh: 0.5 }),
        m(`Pump ${n} speed`, 7, '%', 0, 100, { CollectPeriod: 500 }),
        m(`Pump ${n} current`, 7, 'A', 0, 80, { ...chart, AlarmHigh: 72 }),
        m(`Pump ${n} bearing temperature`, 7, '°C', 0, 110, { AlarmHigh: 78 }),
        count(`Pump ${n} hours`, 33, 'h'),
        set(f(`Pump ${n} speed set point`, 2, '%', 0, 100, 10)),
      ]),
    ],
  ],
  [
    'Settling basin',
    2,
    [
      m('Basin level', 8, 'm', 0, 3.2, { ...chart, AlarmLow: 1.3, AlarmHigh: 2.9 }),
      m('Basin inflow', 8, 'm³/h', 0, 700),
      m('Basin outflow', 8, 'm³/h', 0, 700),
      m('Settled turbidity', 8, 'NTU', 0, 10, { ...chart, AlarmHigh: 4 }),
      m('Settled pH', 8, '', 5, 9, { AlarmLow: 6.4, AlarmHigh: 8.2 }),
      m('Coagulant tank level', 8, '%', 0, 100, { AlarmLow: 15 }),
      m('Coagulant flow', 8, 'L/h', 0, 40),
      m('Mixer current', 8, 'A', 0, 10),
      m('Sludge level', 8, 'm', 0, 1, { AlarmHigh: 0.7 }),
      count('Coagulant total', 34, 'L'),
      on('Coagulant pump running', states('Stopped', 'Running')),
      on('Mixer running', states('Stopped', 'Running')),
      on('Sludge valve open', states('Closed', 'Open')),
      coil('Coagulant pump command', states('Stop', 'Run')),
      coil('Mixer command', states('Stop', 'Run')),
      set(m('Coagulant dose set point', 8, 'mg/L', 0, 80)),
    ],
  ],
  [
    'Filters',
    3,
    [
      ...each([1, 2, 3], (n) => [
        a(`Filter ${n} flow`, 1, 'm³/h', 0, 250),
        a(`Filter ${n} differential pressure`, 1, 'bar', 0, 1, { ...chart, AlarmHigh: 0.5 }),
        a(`Filter ${n} level`, 1, 'm', 0, 3),
        a(`Filter ${n} turbidity`, 1, 'NTU', 0, 2, { DecimalDigits: 3, AlarmHigh: 0.8 }),
        m(`Filter ${n} run time`, 2, 'min', 0, 2400, { DecimalDigits: 0, UploadMode: 3 }),
        count(`Filter ${n} backwashes`, 2, '', { DecimalDigits: 0, UploadMode: 3 }),
        bit(`Filter ${n} backwashing`, states('Filtering', 'Backwashing')),
        coil(`Filter ${n} backwash command`),
      ]),
      set(f('Backwash pressure set point', 2, 'bar', 0, 1, 1000)),
    ],
  ],
  [
    'Clear water tank',
    4,
    [
      m('Chamber A level', 9, 'm', 0, 3.2, { ...chart, AlarmLow: 0.8, AlarmHigh: 3 }),
      m('Chamber B level', 9, 'm', 0, 3.2, { ...chart, AlarmLow: 0.8, AlarmHigh: 3 }),
      m('Stored volume', 9, 'm³', 0, 240, { DecimalDigits: 1 }),
      m('Clear water inflow', 9, 'm³/h', 0, 700),
      m('Clear water outflow', 9, 'm³/h', 0, 700),
      m('Clear water temperature', 9, '°C', 0, 30, { UploadMode: 3 }),
      m('Clear water pH', 9, '', 5, 9),
      m('Conductivity', 9, 'µS/cm', 0, 1000, { DecimalDigits: 0 }),
      on('Low level switch', { ...states('OK', 'Low'), AlarmHigh: 0.5 }),
      on('High level switch', states('OK', 'High')),
      count('Clear water total', 35, 'm³'),
    ],
  ],
  [
    'Chlorine dosing',
    5,
    [
      m('Free chlorine', 10, 'mg/L', 0, 2, { ...chart, AlarmLow: 0.3, AlarmHigh: 0.9 }),
      m('Dosing flow', 10, 'L/h', 0, 20),
      m('Dosing pump stroke', 10, '%', 0, 100),
      m('Hypochlorite level', 10, '%', 0, 100, { ...chart, AlarmLow: 15 }),
      m('Hypochlorite weight', 10, 'kg', 0, 120, { DecimalDigits: 1 }),
      m('Room chlorine gas', 10, 'ppm', 0, 5, { DecimalDigits: 3, AlarmHigh: 0.5 }),
      m('Redox potential', 10, 'mV', 0, 1000, { DecimalDigits: 0 }),
      count('Hypochlorite total', 36, 'L'),
      on('Dosing pump running', states('Stopped', 'Running')),
      on('Dosing pump airlock', { ...states('OK', 'Airlock'), AlarmHigh: 0.5 }),
      on('Ventilation running', states('Stopped', 'Running')),
      coil('Dosing pump command', states('Stop', 'Run')),
      set(m('Free chlorine set point', 10, 'mg/L', 0, 2)),
    ],
  ],
  [
    'UV reactor',
    6,
    [
      f('UV intensity', 32, 'W/m²', 0, 300, 10, { ...chart, AlarmLow: 110 }),
      f('UV dose', 32, 'J/m²', 0, 2000, 10, chart),
      f('UV transmittance', 32, '%', 0, 100, 100),
      f('Reactor flow', 32, 'm³/h', 0, 700, 10),
      f('Reactor power', 32, 'kW', 0, 20, 1000),
      f('Sleeve fouling', 32, '%', 0, 100, 10, { UploadMode: 3 }),
      f('Ballast temperature', 31, '°C', -20, 100, 10, { AlarmHigh: 70 }),
      f('Reactor temperature', 31, '°C', -20, 100, 10),
      count('Lamp hours', 36, 'h'),
      ...each([1, 2, 3, 4], (n) => [bit(`Lamp ${n} failed`, states('OK', 'Failed'))]),
      on('Reactor on'),
      coil('Reactor command'),
    ],
  ],
  [
    'High service pumps',
    7,
    [
      m('Header pressure', 8, 'bar', 0, 8, { ...chart, CollectPeriod: 500, AlarmLow: 3 }),
      m('Delivery flow', 8, 'm³/h', 0, 800, { ...chart, CollectPeriod: 500 }),
      ...each([1, 2, 3], (n) => [
        coil(`Pump ${n} command`, states('Stop', 'Run')),
        on(`Pump ${n} running`, states('Stopped', 'Running')),
        on(`Pump ${n} tripped`, { ...states('OK', 'Tripped'), AlarmHigh: 0.5 }),
        m(`Pump ${n} flow`, 8, 'm³/h', 0, 300),
        m(`Pump ${n} current`, 8, 'A', 0, 120, chart),
        m(`Pump ${n} power`, 8, 'kW', 0, 75),
        f(`Pump ${n} speed`, 31, 'rpm', 0, 1600, 1, { CollectPeriod: 500 }),
        f(`Pump ${n} bearing temperature`, 31, '°C', -20, 120, 10, { AlarmHigh: 78 }),
        f(`Pump ${n} vibration`, 32, 'mm/s', 0, 20, 100, { CollectPeriod: 500, AlarmHigh: 7.1 }),
        count(`Pump ${n} hours`, 34, 'h'),
      ]),
      set(f('Speed set point', 2, '%', 0, 100, 10)),
    ],
  ],
  [
    'Outlet and tower',
    8,
    [
      m('Outlet flow', 7, 'm³/h', 0, 800, { ...chart, CollectPeriod: 500 }),
      m('Outlet pressure', 7, 'bar', 0, 8, { ...chart, CollectPeriod: 500, AlarmLow: 3.9 }),
      m('Town demand', 7, 'm³/h', 0, 800, chart),
      m('Tower level', 7, 'm', 0, 5, { ...chart, AlarmLow: 1.5, AlarmHigh: 4.6 }),
      m('Tower volume', 7, 'm³', 0, 40, { DecimalDigits: 1 }),
      m('Tower balance', 7, 'm³/h', -500, 500),
      m('Far end pressure', 7, 'bar', 0, 8),
      count('Outlet total', 3, 'm³'),
      m('Outlet temperature', 7, '°C', 0, 30, { UploadMode: 3 }),
      on('Tower high switch', states('OK', 'High')),
      set(f('Outlet valve set point', 2, '%', 0, 100, 10)),
    ],
  ],
  ['Intake power meter', 9, meter(4, 33, { AlarmHigh: 62 })],
  ['Delivery power meter', 10, meter(6, 35, { AlarmHigh: 110 })],
  [
    'Cold room',
    11,
    [
      f('Air temperature', 1, '°C', -40, 40, 10, { ...chart, CollectPeriod: 500, AlarmLow: -26, AlarmHigh: -15 }),
      f('Product temperature', 1, '°C', -40, 40, 10, { ...chart, AlarmHigh: -14 }),
      f('Evaporator temperature', 1, '°C', -60, 40, 10, chart),
      f('Condenser temperature', 1, '°C', -20, 90, 10),
      f('Air humidity', 2, '%', 0, 100, 10),
      f('Suction pressure', 5, 'bar', 0, 10, 1000),
      f('Discharge pressure', 5, 'bar', 0, 30, 1000, { AlarmHigh: 22 }),
      m('Compressor current', 9, 'A', 0, 30, chart),
      f('Door open time', 2, 's', 0, 3600, 1, { UploadMode: 3, AlarmHigh: 60 }),
      count('Compressor energy', 36, 'kWh', { SampleLow: 0, SampleHigh: 4e9, ProjectLow: 0, ProjectHigh: 4e7, DecimalDigits: 2 }),
      count('Compressor hours', 36, 'h'),
      on('Door open', states('Closed', 'Open')),
      on('Compressor running', states('Stopped', 'Running')),
      on('Fan running', states('Stopped', 'Running')),
      on('Defrosting', states('Idle', 'Defrosting')),
      coil('Door command', states('Close', 'Open')),
      coil('Defrost command'),
      set(f('Temperature set point', 1, '°C', -30, 5, 10)),
      set(f('Hysteresis', 2, 'K', 0, 10, 10)),
    ],
  ],
  [
    'Weather station',
    12,
    [
      f('Air temperature', 31, '°C', -40, 60, 10, { ...chart, UploadMode: 3 }),
      f('Air humidity', 32, '%', 0, 100, 10, { UploadMode: 3 }),
      f('Air pressure', 32, 'hPa', 800, 1100, 10, { UploadMode: 3 }),
      f('Wind speed', 32, 'm/s', 0, 40, 10, { ...chart, AlarmHigh: 14 }),
      f('Wind gust', 32, 'm/s', 0, 60, 10),
      f('Dew point', 31, '°C', -40, 40, 10, { UploadMode: 3 }),
      f('Wind direction', 32, '°', 0, 360, 1),
      f('Rain rate', 32, 'mm/h', 0, 100, 10, { UploadMode: 3 }),
      f('Solar radiation', 32, 'W/m²', 0, 1400, 1, chart),
      count('Rain total', 5, 'mm', { UploadMode: 3 }),
    ],
  ],
  // The energy tree: incomer = intake + delivery + building + losses; treatment and cold store hang on the delivery board.
  ['Main incomer meter', 13, meter(3, 34, { AlarmHigh: 190 })],
  ['Treatment power meter', 14, feeder(5, 36)],
  ['Cold store power meter', 15, feeder(4, 34)],
  ['Building power meter', 16, feeder(3, 36)],
  [
    'Chemical store',
    17,
    [
      m('Coagulant store level', 8, '%', 0, 100, { ...chart, AlarmLow: 12 }),
      m('Hypochlorite store level', 8, '%', 0, 100, { ...chart, AlarmLow: 12 }),
    ],
  ],
  [
    vaccineRoom,
    18,
    [
      ...each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], (n) => [
        f(`Temperature ${n}`, 1, '°C', -20, 40, 100, n % 3 === 1 ? { ...chart, ...logged } : logged),
      ]),
      f('Humidity at the door', 2, '%', 0, 100, 10, logged),
      f('Humidity at the back', 2, '%', 0, 100, 10, logged),
      on('Door open', states('Closed', 'Open')),
      on('Power cut', states('OK', 'No power')),
    ],
  ],
]

export const demoPlant: readonly DemoDevice[] = table.map(([DeviceName, SlaveNumber, sketches], PortOffset) => ({
  DeviceName,
  PortOffset,
  SlaveNumber,
  ProtocolType: 0,
  Points: place(SlaveNumber, sketches),
}))
